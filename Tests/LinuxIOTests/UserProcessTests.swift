import Glibc
import TestSupport
import Testing

@testable import LinuxIO

/// Programs that run as another user, whom nobody trusts.
@Suite(.enabled(if: geteuid() == 0, "only root can start a program as another user"))
struct UserProcessTests {
  private static let owner = PathControl.Owner(user: 12_345, group: 12_346)

  private func run(
    _ script: String, limit: Int = 1 << 16, within milliseconds: Int64 = 60_000,
    as owner: PathControl.Owner = owner
  ) throws(SystemError) -> String {
    let process = try UserProcess(
      ["/bin/sh", "-c", script], environment: ["PATH": "/usr/bin:/bin", "HOME": "/none"],
      as: owner)
    return String(decoding: try process.read(limit: limit, within: milliseconds), as: UTF8.self)
  }

  @Test func `The program has the user's identity for good, and nothing of root's`() throws {
    let text = try run(
      """
      id -u; id -g; id -G; pwd; grep -E '^(Uid|Gid|NoNewPrivs|SigIgn|SigBlk)' /proc/self/status
      ls -l /proc/self/fd | sed 's/.* //' | sort -u; env | cut -d= -f1 | sort; tty
      """)
    let lines = text.split(separator: "\n").map { String($0) }
    #expect(lines.prefix(4) == ["12345", "12346", "12346", "/"], "\(text)")
    #expect(lines.contains("Uid:\t12345\t12345\t12345\t12345"), "\(text)")
    #expect(lines.contains("NoNewPrivs:\t1") && lines.contains("SigBlk:\t0000000000000000"))
    // glibc keeps the signals 32 and 33 for itself: no program can reset them, if its parent ignored
    // them.
    let ignored = lines.first { $0.hasPrefix("SigIgn:\t") }
      .flatMap { UInt64($0.dropFirst(8), radix: 16) }
    #expect(ignored.map { $0 & ~0x1_8000_0000 } == 0, "\(text)")
    let places = lines.filter { $0.hasPrefix("/") && $0 != "/" }
    #expect(
      places.allSatisfy { $0 == "/dev/null" || $0.hasPrefix("/proc/") }, "\(places)")
    #expect(lines.contains("not a tty") && !lines.contains("TOUCHGRID_BINARIES"), "\(text)")
  }

  @Test func `The user's groups come from the user database`() throws {
    // The user and the group of Debian's "games".
    let games = PathControl.Owner(user: 5, group: 0)
    #expect(try run("id -u; id -G", as: games) == "5\n60\n")
  }

  @Test func `Output and time are limited, and the program is killed`() throws {
    let endless = #expect(throws: SystemError.self) { try run("yes") }
    #expect(endless?.code == EFBIG)
    #expect(throws: SystemError.self) { try run("yes", limit: 1 << 26, within: 300) }
    let start = Clocks.monotonic
    let late = #expect(throws: SystemError.self) { try run("sleep 271 & sleep 272", within: 300) }
    #expect(late?.code == ETIMEDOUT)
    #expect(Clocks.monotonic - start < 60_000_000)
    // A killed process takes a moment to end.
    let sleeping = "ps -u 12345 -o stat=,args= | grep '^[^Z].*sleep 27[12]$'; true"
    while try run(sleeping) != "", Clocks.monotonic - start < 60_000_000 { usleep(10_000) }
    #expect(try run(sleeping) == "")
  }

  @Test func `A program with input gets what is sent, and answers line by line`() throws {
    let process = try UserProcess(
      ["/bin/sh", "-c", "while read -r word; do echo \"$word!\"; done; echo over"],
      environment: ["PATH": "/usr/bin:/bin"], as: Self.owner, hasInput: true)
    try process.send(Array("one\n".utf8))
    #expect(try process.line(within: 60_000) == "one!")
    try process.send(Array("two\nthree\n".utf8))
    #expect(try process.line(within: 60_000) == "two!")
    #expect(try process.line(within: 60_000) == "three!")
    let silent = #expect(throws: SystemError.self) { try process.line(within: 100) }
    #expect(silent?.code == ETIMEDOUT)
  }

  @Test func `A program that has ended is noticed, and long lines are refused`() throws {
    func process(_ script: String) throws -> UserProcess {
      try UserProcess(
        ["/bin/sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"], as: Self.owner,
        hasInput: true)
    }
    let ended = try process("exit")
    #expect(try ended.line(within: 60_000) == nil)
    #expect(throws: SystemError.self) {
      for _ in 0..<100 {
        try ended.send([10])
        usleep(10_000)
      }
    }
    let long = #expect(throws: SystemError.self) {
      try process("yes | tr -d '\\n'").line(within: 60_000)
    }
    #expect(long?.code == EFBIG)
  }

  @Test func `The program has a session keyring of its own`() throws {
    // keyctl(KEYCTL_DESCRIBE, KEY_SPEC_SESSION_KEYRING). Without an own one, the kernel describes
    // root's, or that of all sessions of the user (_uid_ses).
    let text = try run(
      #"""
      call=250; [ "$(uname -m)" = aarch64 ] && call=219
      perl -e '$text = "\0" x 256; $size = syscall($ARGV[0], 6, -3, $text, 256);
        print $size < 0 ? "none" : substr($text, 0, $size)' $call
      """#)
    #expect(text.hasPrefix("keyring;12345;12346;") && text.contains(";_ses"), "\(text)")
  }

  @Test func `A copy of this process runs as the user, and is killed if it takes too long`() throws
  {
    let process = try UserProcess(as: Self.owner) { Array("\(geteuid()) \(getegid())".utf8) }
    let text = try process.read(limit: 100, within: 60_000)
    #expect(String(decoding: text, as: UTF8.self) == "12345 12346")
    let endless = try UserProcess(as: Self.owner) {
      while true { sleep(1) }
    }
    let late = #expect(throws: SystemError.self) { try endless.read(limit: 100, within: 300) }
    #expect(late?.code == ETIMEDOUT)
  }

  @Test func `A program that cannot be run ends without output`() throws {
    let process = try UserProcess(["/nowhere/program"], environment: [:], as: Self.owner)
    #expect(try process.read(limit: 10, within: 60_000) == [])
  }
}
