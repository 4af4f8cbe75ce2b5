import TestSupport
import Testing
import TouchModel

@testable import Recordings

@Suite struct RecordingFileTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: ["data", "data.yml", "data.evemu", "data.jpg"])
  func `The format of a file is recognised by its content`(name: String) throws {
    let libinput = try Recording.readAll(path: directory.file(name, libinputText))
    #expect(libinput.count == 2)
    let evemu = try Recording.read(path: directory.file(name, evemuHeader))
    #expect(evemu.description.name == "Panel  with blanks ")
  }

  @Test func `A file of events alone uses the description beside it with the longest name`() throws
  {
    let events = try directory.file("My pad v1.2.tap.twice.events", "E: 1.000000 0003 0035 7\n")
    let error = try #require(throws: RecordingError.self) { try Recording.read(path: events) }
    guard case .noDescription(let files) = error.problem else {
      Issue.record("unexpected: \(error)")
      return
    }
    let stems = ["My pad v1.2.tap.twice", "My pad v1.2.tap", "My pad v1.2", "My pad v1"]
    #expect(
      files
        == stems.flatMap { stem in
          ["prop", "desc", "device"].map { "\(directory.path)/\(stem).\($0)" }
        })

    for (name, device) in [
      ("My pad v1.device", "far"), ("My pad v1.2.desc", "near"), ("My pad v1.2.prop", "nearest"),
    ] {
      _ = try directory.file(name, "N: \(device)\nI: 3 1 2 3\nA: 35 0 9 0 0\n")
      let recording = try Recording.read(path: events)
      #expect(recording.description.name == device)
      #expect(recording.events.map(\.value) == [7])
    }
  }

  @Test func `An error in the description names the description's file`() throws {
    let events = try directory.file("pad.events", "E: 1.000000 0003 0035 7\n")
    let description = try directory.file("pad.prop", "N: x\nI: y\n")
    let error = try #require(throws: RecordingError.self) { try Recording.read(path: events) }
    #expect(error.path == description)
    #expect(error.line == 2)
  }

  @Test func `A description that has only events is refused`() throws {
    let events = try directory.file("pad.events", "E: 1.000000 0003 0035 7\n")
    _ = try directory.file("pad.prop", "E: 1.000000 0003 0035 7\n")
    #expect(throws: RecordingError.self) { try Recording.read(path: events) }
  }

  @Test func `Reading one device from a file with two is an error`() throws {
    let path = try directory.file("two.yml", libinputText)
    let error = try #require(throws: RecordingError.self) { try Recording.read(path: path) }
    #expect(error.problem == .severalDevices(2))
  }

  @Test func `Missing files, folders and pipes are refused`() throws {
    let missing = try #require(throws: RecordingError.self) {
      try Recording.read(path: "\(directory.path)/nothing\u{1b}[2J")
    }
    #expect(
      missing.description == "\(directory.path)/nothing\\u{1b}[2J: cannot be opened: "
        + "No such file or directory")
    let folder = try #require(throws: RecordingError.self) {
      try Recording.read(path: directory.path)
    }
    #expect(folder.problem == .notAFile)
    _ = try output(of: "mkfifo '\(directory.path)/pipe'")
    let pipe = try #require(throws: RecordingError.self) {
      try Recording.read(path: "\(directory.path)/pipe")
    }
    #expect(pipe.problem == .notAFile)
  }

  @Test func `A file above the size limit is refused`() throws {
    _ = try output(of: "truncate -s 1073741825 '\(directory.path)/huge'")
    let error = try #require(throws: RecordingError.self) {
      try Recording.read(path: "\(directory.path)/huge")
    }
    #expect(error.problem == .tooLarge(limit: 1_073_741_824))
  }

  @Test(arguments: [
    ("", "test: is empty"),
    ("\n\n  \n", "test: is empty"),
    ("# a comment\n", "begins with '# a comment'"),
    ("{\"json\": 1}\n", "begins with '{\"json\": 1}'"),
    ("# by a person\nR: 650 05 0d 09\n", "raw HID reports"),
    (
      "[   12.3] /dev/input/event1: 0003 0035 00000001\n",
      "is not a recording of evemu-record or libinput record"
    ),
    ("\u{0}\u{1}\u{7f}\n", "begins with '\\u{0}\\u{1}\\u{7f}'"),
    ("version: 1\n", "describes no device: 'devices:' with '- node: …' is missing"),
  ])
  func `The error about a file that is not a recording says what it is`(
    text: String, expected: String
  ) throws {
    #expect(try #require(message(text)).contains(expected))
  }

  @Test func `A line that is too long is refused with its number`() throws {
    let limit = lineLengthLimit
    let text = "N: x\n# " + String(repeating: "y", count: limit - 2) + "\n"
    #expect(message(text + "I: 3 1 2 3\n") == nil)
    #expect(
      message("N: x\n" + String(repeating: "y", count: limit + 1))
        == "test:2: the line is longer than 65536 bytes (the limit)")
  }
}
