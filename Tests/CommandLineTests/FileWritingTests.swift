import Glibc
import TestSupport
import Testing
import TouchModel

@testable import TouchgridCommands

/// A file is either written completely or left unchanged.
@Suite final class FileWritingTests: FolderSuite {
  private func mode(_ path: String) -> UInt32 { fileStatus(path).st_mode & 0o7777 }

  private func text(_ path: String) throws -> String {
    String(decoding: try TemporaryFolder.contents(path), as: UTF8.self)
  }

  /// The umask, read from /proc. Setting and restoring it would disturb tests that run at the same
  /// time.
  private var userMask: UInt32 {
    get throws {
      let status = String(
        decoding: try TemporaryFolder.contents("/proc/self/status"), as: UTF8.self)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Umask:") })
      return try #require(UInt32(line.drop { !$0.isNumber }, radix: 8))
    }
  }

  @Test func `The umask applies to a new file`() throws {
    let path = folder.path("new.csv")
    try writeFile(Array("new".utf8), to: path)
    #expect(try text(path) == "new" && mode(path) == 0o666 & ~userMask)
    #expect(try folder.names == ["new.csv"])
  }

  @Test func `A replaced file keeps its mode`() throws {
    let path = try folder.write("a longer text", to: "old.csv")
    for bits in [0o600, 0o640, 0o664] as [UInt32] {
      #expect(unsafe chmod(path, bits) == 0)
      try writeFile(Array("new".utf8), to: path)
      #expect(try text(path) == "new" && mode(path) == bits)
    }
    #expect(try folder.names == ["old.csv"])
  }

  @Test func `A symbolic link stays, and its target is replaced`() throws {
    let real = try folder.write("old", to: "real.csv")
    let (link, far) = (folder.path("link.csv"), folder.path("far.csv"))
    #expect(unsafe symlink("real.csv", link) == 0 && symlink(link, far) == 0)
    try writeFile(Array("new".utf8), to: far)
    #expect(try text(real) == "new" && folder.names == ["far.csv", "link.csv", "real.csv"])
    #expect(fileStatus(link).st_mode & S_IFMT == S_IFLNK)

    unsafe unlink(real)
    let failure = #expect(throws: Failure.self) { try writeFile([1], to: far) }
    #expect(failure?.description.hasSuffix("create its target, or remove the link") == true)
    #expect(try folder.names == ["far.csv", "link.csv"])
  }

  @Test func `File names of any length that the file system allows can be used`() throws {
    let path = folder.path(String(repeating: "n", count: 255))
    for text in ["one", "two"] {
      try writeFile(Array(text.utf8), to: path)
      #expect(try self.text(path) == text)
    }
    #expect(throws: Failure.self) { try writeFile([1], to: path + "n") }
    #expect(try folder.names.count == 1)
  }

  @Test func `Writing to a folder or into a missing one fails`() throws {
    let failure = #expect(throws: Failure.self) { try writeFile([1], to: folder.path("")) }
    #expect(failure?.description.hasSuffix("cannot be opened: Is a directory") == true)
    let nowhere = #expect(throws: Failure.self) { try writeFile([1], to: folder.path("no/where")) }
    #expect(nowhere?.description.contains("no file can be created in its folder") == true)
  }

  // MARK: Interruption

  /// Returns the content of the folder, without the test's own output and SQLite's own files.
  private func snapshot() throws -> [String: String] {
    let names = try folder.names.filter {
      !["stdout", "stderr"].contains($0) && !$0.hasPrefix("store.db-")
    }
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try text(folder.path($0))) })
  }

  @Test(arguments: [false, true])
  func `An interrupted command leaves no partial file`(isNamed: Bool) throws {
    let store = try SampleStore.usual(in: folder)
    var environment = ["LD_PRELOAD": try Interruption.library(in: folder)]
    if isNamed { environment["NAMED"] = "1" }
    let path = try folder.write("old", to: "menu.csv")
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGXFSZ, SIGKILL] {
      environment["END"] = "\(signal)"
      for name in ["menu.csv", "new.csv"] {
        let before = try snapshot()
        let result = try Program.run(
          ["heatmap", "--store", store, "-o", folder.path(name)], environment: environment,
          in: folder)
        #expect(result.status == -signal && result.error == "")
        let after = try snapshot()
        // A program that is killed with SIGKILL cannot remove its temporary file if the file has a
        // name. Apart from that, nothing may have changed.
        let left = after.filter { before[$0.key] != $0.value }.keys
        #expect(left.count == (isNamed && signal == SIGKILL ? 1 : 0), "\(left)")
        #expect(left.allSatisfy { $0.hasPrefix(".touchgrid-") })
        #expect(try text(path) == "old" && before.keys.allSatisfy { after[$0] != nil })
        for name in left { unsafe unlink(folder.path(name)) }
      }
    }
    // Without a signal, the command writes the whole file.
    environment["END"] = nil
    let result = try Program.run(
      ["heatmap", "--store", store, "-o", path], environment: environment, in: folder)
    #expect(result.status == 0 && result.error == "")
    #expect(try text(path).hasPrefix("screen,layer"))
    #expect(try !folder.names.contains { $0.hasPrefix(".") })
  }

  @Test func `An ignored signal does not end the command`() throws {
    let store = try SampleStore.usual(in: folder)
    // SIGHUP is ignored, so the library itself ends the program after half of the bytes, with
    // status 99.
    let result = try Program.run(
      [
        "-c", "trap '' HUP; exec \"$@\"", "sh", try Program.path, "heatmap", "--store", store, "-o",
        folder.path("new.csv"),
      ], program: "sh",
      environment: ["LD_PRELOAD": try Interruption.library(in: folder), "END": "\(SIGHUP)"],
      in: folder)
    #expect(result.status == 99)
    #expect(try !folder.names.contains { $0.hasPrefix(".touchgrid-") || $0 == "new.csv" })
  }
}
