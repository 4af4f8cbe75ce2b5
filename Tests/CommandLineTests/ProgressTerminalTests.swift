import Glibc
import TestSupport
import Testing
import TouchModel

/// Slow commands show their progress on a terminal, and nowhere else.
@Suite struct ProgressTerminalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The source of a library for LD_PRELOAD that simulates a slow disk. It delays each of the first
  /// 16 reads of a store by 0.15 s, and each flush by 0.06 s.
  private static let slowness = #"""
    #define _GNU_SOURCE
    #include <stdio.h>
    #include <string.h>
    #include <sys/syscall.h>
    #include <unistd.h>

    static int looks;

    ssize_t pread64(int file, void *bytes, size_t count, off64_t place) {
      char self[32], path[4096] = "";
      snprintf(self, sizeof self, "/proc/self/fd/%d", file);
      if (readlink(self, path, sizeof path - 1) > 0 && strstr(path, "store.db") && looks++ < 16)
        usleep(150000);
      return syscall(SYS_pread64, file, bytes, count, place);
    }
    int fsync(int file) {
      usleep(60000);
      return syscall(SYS_fsync, file);
    }
    """#

  /// A Python program that runs all cases in parallel, each on its own terminal. A case is `NAME
  /// TERM END COMMAND…`. END is `end`, `interrupt` (Ctrl-C after the first output), or `pipe`
  /// (standard error is a pipe).
  private static let program = #"""
    import fcntl, json, os, pty, signal, struct, subprocess, sys, termios, threading
    def run(name, term, end, command, results):
        main, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        error = os.memfd_create("error") if end == "pipe" else other
        environment = {**os.environ, "TERM": term, "LD_PRELOAD": os.environ["SLOWNESS"]}
        def own():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        process = subprocess.Popen(command, stdin=other, stdout=other, stderr=error, env=environment,
                                   preexec_fn=own)
        os.close(other)
        text = b""
        while True:
            try: piece = os.read(main, 4096)
            except OSError: break
            if not piece: break
            text += piece
            if end == "interrupt" and b"\x1b[K" in text:
                os.write(main, b"\x03")
                end = ""
        status = process.wait()
        wrong = os.pread(error, 4096, 0).decode() if error != other else ""
        results[name] = {"status": status, "text": text.decode(), "error": wrong}
    results = {}
    cases = json.load(open(sys.argv[1]))
    threads = [threading.Thread(target=run, args=(*case, results)) for case in cases]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    for name, *_ in cases:
        result = results[name]
        print(name, result["status"], ascii(result["text"]), ascii(result["error"]), sep="\t")
    """#

  private struct Case {
    var name: String
    var term = "xterm"
    var end = "end"
    var arguments: [String]
  }

  /// The result of a case. Texts are Python literals.
  private struct Told {
    var status: String
    /// The output on the terminal.
    var text: String
    /// The output on standard error if the case redirects it away from the terminal; otherwise
    /// empty.
    var error: String
  }

  private func run(_ cases: [Case]) throws -> [String: Told] {
    let source = try folder.write(Self.slowness, to: "slow.c")
    let library = folder.path("slow.so")
    let built = try Program.run(
      ["-shared", "-fPIC", "-o", library, source], program: "cc", in: folder)
    try #require(built.status == 0, "\(built.error)")
    let program = try Program.path
    func quoted(_ text: String) -> String { "\"\(text)\"" }
    let list = cases.map { one in
      let command = ([program] + one.arguments).map(quoted).joined(separator: ",")
      return "[\(quoted(one.name)),\(quoted(one.term)),\(quoted(one.end)),[\(command)]]"
    }
    let result = try Program.run(
      [
        try folder.write(Self.program, to: "terminals.py"),
        try folder.write("[" + list.joined(separator: ",") + "]", to: "cases.json"),
      ], program: "python3", environment: ["SLOWNESS": library], in: folder)
    #expect(result.status == 0, "\(result.error)")
    let lines = result.text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
    }
    return Dictionary(
      uniqueKeysWithValues: lines.map {
        ($0[0], Told(status: $0[1], text: $0[2], error: $0[3]))
      })
  }

  @Test func `A command that takes longer than a second shows its progress and clears it`() throws {
    let menu = SampleStore.key("menu", try SampleStore.geometry())
    let store = try SampleStore.make(
      (0..<6).map { index in
        SampleStore.session(
          Int64(index + 1), after: Int64(index) * 1440, tags: ["build": index < 3 ? "1" : "2"],
          [menu: [Block(column: index, row: 1): 5]])
      }, in: folder)
    let names = ["export", "report", "heatmap", "compare", "screen", "dumb", "pipe", "ended"]
    func output(_ name: String) -> String { folder.path("\(name).out") }
    func export(_ name: String) -> [String] { ["export", "-o", output(name), "--store", store] }
    let told = try run([
      Case(name: "export", arguments: export("export")),
      Case(
        name: "report",
        arguments: ["report", "-o", folder.path("report.html"), "--store", store]),
      Case(
        name: "heatmap",
        arguments: ["heatmap", "-o", folder.path("map.csv"), "--tag", "build=1", "--store", store]),
      Case(
        name: "compare",
        arguments: [
          "compare", "build=1", "build=2", "-o", folder.path("two.json"), "--store", store,
        ]),
      Case(name: "screen", arguments: ["heatmap", "--store", store]),
      Case(name: "dumb", term: "dumb", arguments: export("dumb")),
      Case(name: "pipe", end: "pipe", arguments: export("pipe")),
      Case(name: "ended", end: "interrupt", arguments: export("ended")),
    ])
    try #require(told.keys.sorted() == names.sorted())
    for verb in ["export", "report", "heatmap", "compare"] {
      let result = try #require(told[verb])
      #expect(result.status == "0", "\(verb): \(result.text)")
      // A single line that is overwritten, and cleared at the end.
      #expect(result.text.hasPrefix(#"'\r"# + verb + ": "), "\(result.text)")
      #expect(result.text.hasSuffix(#"\x1b[K\r\x1b[K'"#), "\(result.text)")
      #expect(!result.text.contains(#"\n"#))
    }
    #expect(told["export"]?.text.contains(#" of 6 days"#) == true)
    #expect(told["report"]?.text.contains(#" maps"#) == true)
    #expect(told["heatmap"]?.text.contains(#"\rheatmap: 1 s\x1b[K"#) == true)
    let screen = try #require(told["screen"]).text
    // The line is cleared before the picture begins.
    #expect(screen.hasPrefix(#"'\rheatmap: 1 s\x1b[K"#), "\(screen)")
    #expect(screen.contains(#"\x1b[K\r\x1b[Kmenu"#), "\(screen)")
    for name in ["dumb", "pipe"] {
      #expect(told[name]?.status == "0")
      #expect(told[name]?.text == "''" && told[name]?.error == "''", "\(told)")
    }
    let ended = try #require(told["ended"])
    #expect(ended.status == "-\(SIGINT)")
    #expect(ended.text.hasSuffix(#"^C\r\x1b[K'"#), "\(ended.text)")
    let left = try FolderListing.names(output("ended"))
    #expect(left.allSatisfy { $0 == ".touchgrid-export" || $0.hasPrefix("day=") }, "\(left)")
    #expect(left.count < 7)
  }
}
