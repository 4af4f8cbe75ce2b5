import Glibc
import TestSupport
import Testing

/// A file that is not a store stays unchanged when its path is given to a command as a store.
/// `StorageTests` has more kinds of files.
@Suite struct ForeignFileTests {
  private let folder: TemporaryFolder
  /// The folder for the programs' output.
  private let output: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    output = try TemporaryFolder()
  }

  enum Kind: CaseIterable {
    case text, database, databaseWithLog, readOnly, folder
  }

  /// Makes a file or a folder, with an old modification time.
  /// - Returns: Its path.
  private func make(_ kind: Kind) throws -> String {
    let path = folder.path("notes.txt")
    switch kind {
    case .text:
      _ = try folder.write("# README\n\nMy notes, of which there is no copy.\n", to: "notes.txt")
    case .database, .databaseWithLog:
      // The process exits without cleaning up, as if it were killed, so the database's WAL stays.
      let program = """
        import os, sqlite3, sys
        database = sqlite3.connect(sys.argv[1])
        database.execute("PRAGMA journal_mode = " + sys.argv[2])
        database.execute("CREATE TABLE session (id INTEGER PRIMARY KEY, day TEXT)")
        database.execute("INSERT INTO session VALUES (1, '2026-01-01')")
        database.commit()
        os._exit(0)
        """
      let mode = kind == .database ? "DELETE" : "WAL"
      let result = try Program.run(
        ["-c", program, path, mode], program: "/usr/bin/python3", in: output)
      try #require(result.status == 0, "\(result.error)")
    case .readOnly:
      _ = try folder.write("this file is read-only\n", to: "notes.txt")
      unsafe chmod(path, 0o444)
    case .folder:
      try #require(unsafe mkdir(path, 0o700) == 0)
      let file = unsafe open(path + "/file", O_WRONLY | O_CREAT, 0o600)
      close(file)
    }
    // With an old modification time, every later change of the file shows.
    var times = [
      timespec(tv_sec: 1_000_000_000, tv_nsec: 7), timespec(tv_sec: 1_000_000_001, tv_nsec: 8),
    ]
    unsafe utimensat(AT_FDCWD, path, &times, 0)
    return path
  }

  /// Returns everything that must not change: each file's content, mode, inode and modification
  /// time.
  private func picture() throws -> [String] {
    try folder.names.map { name in
      var status = stat()
      unsafe lstat(folder.path(name), &status)
      let isFile = status.st_mode & S_IFMT == S_IFREG
      let bytes = isFile ? try TemporaryFolder.contents(folder.path(name)) : []
      let inside = isFile ? [] : try FolderListing.names(folder.path(name))
      return "\(name) \(status.st_mode) \(status.st_ino) \(status.st_mtim.tv_sec) "
        + "\(status.st_mtim.tv_nsec) \(bytes.hashValue) \(bytes.count) \(inside)"
    }
  }

  @Test(arguments: Kind.allCases) func `The daemon refuses a file that is not a store`(kind: Kind)
    throws
  {
    let path = try make(kind)
    let before = try picture()
    let daemon = try Program.path.replacing(#/touchgrid$/#, with: "touchgridd")
    let configuration = try output.write("", to: "touchgridd.toml")
    // A daemon that accepted the file would run for ever.
    let result = try Program.run(
      [
        "-k", "1", "60", daemon, "--config", configuration, "--store", path, "--socket",
        output.path("socket"),
      ], program: "/usr/bin/timeout", in: output)
    #expect(result.status == 65, "\(result.error)")
    #expect(try picture() == before)
    let line = result.error.split(separator: "\n").last ?? ""
    #expect(line.contains(path) && line.contains("Touchgrid"), "\(line)")
    #expect(line.contains("Name another file, or move this one away"), "\(line)")
  }

  @Test(arguments: Kind.allCases) func `Every verb refuses a file that is not a store`(kind: Kind)
    throws
  {
    let path = try make(kind)
    let store = try SampleStore.usual(in: output)
    let before = try picture()
    for words in [
      ["forget", "--all", "--yes", "--store", path], ["store", "compact", "--store", path],
      ["store", "check", "--store", path],
      ["store", "backup", output.path("copy.db"), "--store", path],
      ["store", "backup", path, "--force", "--store", store], ["sessions", "--store", path],
    ] {
      let result = try Program.run(words, in: output)
      #expect(result.status == 65, "\(words): \(result.status) \(result.error)")
      #expect(result.error.contains(path), "\(words): \(result.error)")
      #expect(try picture() == before, "\(words)")
    }
    // `recover` reads the pages of a file, so it is not tested with a folder.
    if kind != .folder {
      let result = try Program.run(["store", "recover", path], in: output)
      #expect(result.status == 65, "\(result.error)")
      #expect(try picture() == before)
    }
    // A recovered store must not replace the file either.
    let result = try Program.run(["store", "recover", store, "--into", path], in: output)
    #expect(
      result.status == 1 && result.error.contains("exists, and was not changed"), "\(result.error)")
    #expect(try picture() == before)
  }
}
