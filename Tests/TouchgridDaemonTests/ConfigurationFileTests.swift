import Foundation
import TestSupport
import Testing
import TouchModel

@testable import ConfigurationFiles
@testable import TouchgridDaemon

struct ConfigurationFileTests {
  static let installed = Project.path("config/touchgridd.toml")

  static func installedText() throws -> String {
    try String(contentsOfFile: installed, encoding: .utf8)
  }

  @Test func `The installed file equals the defaults`() throws {
    #expect(try Configuration(path: Self.installed) == Configuration())
  }

  @Test func `The installed file has every key`()
    throws
  {
    let text = try Self.installedText()
    let root = KeyScanner(text).root
    for section in Section.allCases {
      for key in section.keys {
        // The default of `health` depends on other keys, so that the file does not set it.
        if section.isRepeated || key == "health" {
          #expect(text.contains("\n#\(key) = "), "\(section.title) \(key)")
        } else {
          #expect(root.children[section.rawValue]?.children[key] != nil, "\(section.title) \(key)")
        }
      }
    }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 88 })
  }

  @Test func `The examples in the installed file are valid`() throws {
    let text = try Self.installedText().split(separator: "\n", omittingEmptySubsequences: false)
      .map {
        $0.hasPrefix("#") && $0.dropFirst().first?.isWhitespace == false ? $0.dropFirst() : $0
      }
      .joined(separator: "\n")
    let read = try Configuration(text: text, file: "t")
    let counts = [
      read.deviceRules.count, read.displays.count, read.masks.count, read.covers.count,
      read.controls.count, read.funnels.count,
    ]
    #expect(counts == [1, 1, 1, 1, 1, 1])
  }

  @Test func `The error about an unreadable file says why`() {
    func problem(_ path: String) -> String? { refusal(try Configuration(path: path))?.description }
    #expect(
      problem("/nonexistent/t.toml")
        == "/nonexistent/t.toml: cannot be opened: No such file or directory")
    #expect(problem("/tmp") == "/tmp: not a regular file")
    #expect(problem("/dev/zero") == "/dev/zero: not a regular file")
    #expect(problem("/tmp\0x") == "/tmp\\u{0}x: a path cannot contain a NUL character")
    #expect(problem("") == ": cannot be opened: No such file or directory")
  }

  @Test func `A named pipe without a writer does not block the daemon`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("fifo")
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let error = #expect(throws: ConfigurationError.self) { _ = try Configuration(path: path) }
    #expect(error?.problems.first?.message == "not a regular file")
  }

  @Test func `A file that is too large is refused`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "t.toml")
    // A sparse file of a terabyte.
    try #require(unsafe truncate(path, 1 << 40) == 0)
    let error = #expect(throws: ConfigurationError.self) { _ = try Configuration(path: path) }
    #expect(error?.description == "\(path): the file is larger than 1 MiB")
  }
}
