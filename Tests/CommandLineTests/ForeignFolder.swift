import Glibc
import TestSupport
import Testing

/// A folder of another user that contains a store, and a secret file of root's that this user tries
/// to read, change or own.
final class ForeignFolder {
  static let user: UInt32 = 12_345
  private static let group: UInt32 = 12_346
  private static let words = "the PIN is 271828\n"

  /// A folder of root's, for the programs' output and for root's own files.
  let own: TemporaryFolder
  let theirs: TemporaryFolder
  private let attackers: TemporaryFolder
  let secret: String
  let store: String

  init() throws {
    own = try TemporaryFolder()
    theirs = try TemporaryFolder()
    attackers = try TemporaryFolder()
    secret = try own.write(Self.words, to: "secret")
    store = try SampleStore.usual(in: theirs)
    // A program that copied these permissions would make the file readable for everyone.
    unsafe chmod(store, 0o666)
    try give()
  }

  /// Gives everything in the folder to the other user.
  func give() throws {
    for name in try [""] + theirs.names {
      #expect(unsafe lchown(theirs.path(name), Self.user, Self.group) == 0)
    }
  }

  enum Trap: CaseIterable { case link, hardLink, pipe }

  /// Replaces a name in the folder by a link to root's file, or by a pipe.
  func set(_ trap: Trap, at name: String) {
    let path = theirs.path(name)
    unsafe unlink(path)
    let result =
      switch trap {
      case .link: unsafe symlink(secret, path)
      case .hardLink: unsafe link(secret, path)
      case .pipe: unsafe mkfifo(path, 0o666)
      }
    #expect(result == 0)
    if trap != .hardLink { unsafe lchown(path, Self.user, Self.group) }
  }

  /// Runs the program as root, and kills it after a minute.
  /// - Parameter words: The arguments. `S` stands for the store's path, `T` for the other user's
  ///   folder, `O` for root's.
  func run(
    _ words: String, program: String? = nil, environment: [String: String] = [:]
  ) throws -> Program.Result {
    let places = ["S": store, "T": theirs.path, "O": own.path]
    let words = words.split(separator: " ").map { word in
      let parts = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      let first = places[String(parts[0])] ?? String(parts[0])
      return ([first] + parts.dropFirst().map { String($0) }).joined(separator: "/")
    }
    var environment = environment
    // After the program has become another user, the sanitizer's leak checker cannot inspect it.
    let options = unsafe getenv("ASAN_OPTIONS").map { unsafe String(cString: $0) + ":" } ?? ""
    environment["ASAN_OPTIONS"] = options + "detect_leaks=0"
    return try Program.run(
      ["--signal=KILL", "60", try program ?? Program.path] + words, program: "timeout",
      environment: environment, in: own)
  }

  /// Expects that root's file was not read, changed or given away, and that the program did not
  /// hang.
  func expectSafe(
    _ result: Program.Result, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let isEnded = result.status == 137 || result.status < 0
    #expect(!isEnded, "ended by a signal: \(result)", sourceLocation: sourceLocation)
    let status = fileStatus(secret)
    #expect(status.st_uid == 0 && status.st_gid == 0, comment, sourceLocation: sourceLocation)
    #expect(status.st_mode == S_IFREG | 0o600, comment, sourceLocation: sourceLocation)
    #expect(
      try TemporaryFolder.contents(secret) == Array(Self.words.utf8), comment,
      sourceLocation: sourceLocation)
    #expect(!result.text.contains("271828") && !result.error.contains("271828"))
  }

  /// Adds a picture of the other user, and two of root's.
  func addPictures() throws {
    try own.write(try SamplePicture.webp(1, 160, 96), to: "shot")
    #expect(unsafe mkdir(own.path("pictures"), 0o750) == 0)
    try own.write(try SamplePicture.webp(2, 160, 96), to: "pictures/menu.webp")
    try theirs.write(try SamplePicture.webp(3, 160, 96), to: "menu.webp")
    try give()
  }

  /// Runs a command several times, as `run` does, while a process of the other user replaces every
  /// file that appears in the folder with a link to root's file: databases when SQLite has just
  /// closed them, other files some milliseconds later.
  func expectSafeUnderAttack(_ rounds: Int, run: () throws -> Program.Result) throws {
    let attacker = try attack()
    defer {
      kill(attacker.process, SIGKILL)
      _ = try? attacker.finish()
    }
    for _ in 0..<rounds {
      try expectSafe(run())
      for name in try theirs.names where name != "store.db" { unsafe unlink(theirs.path(name)) }
    }
  }

  private func attack() throws -> Program.Running {
    let program = """
      import os, random, sys, time
      root, secret, user = sys.argv[1], sys.argv[2], int(sys.argv[3])
      os.setgroups([]); os.setgid(user + 1); os.setuid(user)
      print("ready", flush=True)
      endings = ("-wal", "-shm", "-journal")
      seen, number = {}, 0
      while True:
        now = {}
        for folder, folders, files in os.walk(root):
          for name in folders + files:
            path = os.path.join(folder, name)
            now[path] = seen.get(path, time.monotonic() + random.random() * 0.1)
        closed = {path[:-len(ending)] for path in seen.keys() - now.keys() for ending in endings
                  if path.endswith(ending)}
        late = {path for path, due in now.items() if due < time.monotonic() and not path.endswith(endings)}
        for path in closed | late:
          if path.endswith("store.db") or "taken-" in path or os.path.islink(path): continue
          number += 1
          try:
            os.rename(path, f"{root}/taken-{number}")
            os.symlink(secret, path)
          except OSError: pass
        seen = now
      """
    let running = try Program.start(
      ["-c", program, theirs.path, secret, "\(Self.user)"], program: "/usr/bin/python3",
      in: attackers)
    try waitUntil { try running.output == "ready\n" }
    return running
  }
}
