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

  /// Makes a text file with an old modification time.
  /// - Returns: Its path.
  private func make() throws -> String {
    let path = try folder.write("My notes, of which there is no copy.\n", to: "notes.txt")
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
      let status = fileStatus(folder.path(name))
      let bytes = try TemporaryFolder.contents(folder.path(name))
      return "\(name) \(status.st_mode) \(status.st_ino) \(status.st_mtim.tv_sec) "
        + "\(status.st_mtim.tv_nsec) \(bytes.hashValue) \(bytes.count)"
    }
  }

  @Test func `The daemon refuses a file that is not a store`() throws {
    let path = try make()
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

  @Test func `Every verb refuses a file that is not a store`() throws {
    let path = try make()
    let store = try SampleStore.usual(in: output)
    let before = try picture()
    for words in [
      ["forget", "--all", "--yes", "--store", path], ["store", "compact", "--store", path],
      ["store", "check", "--store", path],
      ["store", "backup", output.path("copy.db"), "--store", path],
      ["store", "backup", path, "--force", "--store", store], ["sessions", "--store", path],
      ["store", "recover", path],
    ] {
      let result = try Program.run(words, in: output)
      #expect(result.status == 65, "\(words): \(result.status) \(result.error)")
      #expect(result.error.contains(path), "\(words): \(result.error)")
      #expect(try picture() == before, "\(words)")
    }
    // A recovered store must not replace the file either.
    let result = try Program.run(["store", "recover", store, "--into", path], in: output)
    #expect(
      result.status == 1 && result.error.contains("exists, and was not changed"), "\(result.error)")
    #expect(try picture() == before)
  }
}
