import Glibc
import TestSupport
import Testing
import Text
import TouchModel

/// Slow commands show their progress on a terminal, and nowhere else.
@Suite final class ProgressTerminalTests: FolderSuite {
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
    import fcntl, json, os, pty, select, signal, struct, subprocess, sys, termios, threading
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
        text = b""
        # This end stays open: when the last one is closed, what was not read yet may be lost.
        while process.poll() is None or select.select([main], [], [], 0.2)[0]:
            if not select.select([main], [], [], 0.05)[0]: continue
            text += os.read(main, 4096)
            if end == "interrupt" and b"\x1b[K" in text:
                os.write(main, b"\x03")
                end = ""
        status = process.wait()
        wrong = os.pread(error, 4096, 0).decode() if error != other else ""
        os.close(main)
        os.close(other)
        results[name] = {"status": status, "text": text.decode(), "error": wrong}
    results = {}
    cases = json.load(open(sys.argv[1]))
    threads = [threading.Thread(target=run, args=(*case, results)) for case in cases]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    print(json.dumps(results))
    """#

  private struct Case {
    var name: String
    var term = "xterm"
    var end = "end"
    var arguments: [String]
  }

  /// Returns for each case its status, the text on the terminal, and what it wrote to a standard
  /// error that is not the terminal.
  private func run(_ cases: [Case]) throws -> JSONValue {
    let library = try folder.write(SharedLibrary.built(from: Self.slowness), to: "slow.so")
    let program = try Program.path
    let list = cases.map { one -> JSONValue in
      let command = ([program] + one.arguments).map { JSONValue.string($0) }
      return [.string(one.name), .string(one.term), .string(one.end), .array(command)]
    }
    let result = try Program.run(
      [
        try folder.write(Self.program, to: "terminals.py"),
        try folder.write(JSONValue.array(list).text, to: "cases.json"),
      ], program: "python3", environment: ["SLOWNESS": library], in: folder)
    #expect(result.status == 0, "\(result.error)")
    return try result.json
  }

  @Test func `A command that takes longer than a second shows its progress and clears it`() throws {
    let menu = SampleStore.key("menu", try geometry())
    let store = try SampleStore.make(
      (0..<6).map { index in
        SampleStore.session(
          Int64(index + 1), after: Int64(index) * 1440, tags: ["build": index < 3 ? "1" : "2"],
          [menu: [Block(column: index, row: 1): 5]])
      }, in: folder)
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
    func text(_ name: String) throws -> String { try #require(told[name]?["text"]?.string) }
    for verb in ["export", "report", "heatmap", "compare"] {
      let shown = try text(verb)
      #expect(told[verb]?["status"]?.int == 0, "\(verb): \(shown)")
      // A single line that is overwritten, and cleared at the end.
      #expect(shown.hasPrefix("\r" + verb + ": ") && !shown.unicodeScalars.contains("\n"))
      #expect(shown.hasSuffix("\u{1b}[K\r\u{1b}[K"), "\(shown)")
    }
    #expect(try text("export").contains(" of 6 days") && text("report").contains(" maps"))
    #expect(try text("heatmap").contains("\rheatmap: 1 s\u{1b}[K"))
    let screen = try text("screen")
    // The line is cleared before the picture begins.
    #expect(screen.hasPrefix("\rheatmap: 1 s\u{1b}[K"), "\(screen)")
    #expect(screen.contains("\u{1b}[K\r\u{1b}[Kmenu"), "\(screen)")
    for name in ["dumb", "pipe"] {
      #expect(told[name] == ["status": .integer(0), "text": "", "error": ""], "\(told)")
    }
    #expect(told["ended"]?["status"]?.int == -Int(SIGINT))
    #expect(try text("ended").hasSuffix("^C\r\u{1b}[K"), "\(told)")
    let left = try FolderListing.names(output("ended"))
    #expect(left.allSatisfy { $0 == ".touchgrid-export" || $0.hasPrefix("day=") }, "\(left)")
    #expect(left.count < 7)
  }
}
