import TestSupport
import Testing
import TouchModel

@testable import Recordings

@Suite final class RecordingFileTests: FolderSuite {
  @Test(arguments: ["data", "data.yml", "data.evemu", "data.jpg"])
  func `The format of a file is recognised by its content`(name: String) throws {
    let libinput = try Recording.readAll(path: folder.write(libinputText, to: name))
    #expect(libinput.count == 2)
    let evemu = try Recording.read(path: folder.write(evemuHeader, to: name))
    #expect(evemu.description.name == "Panel  with blanks ")
  }

  @Test func `A file of events alone uses the description beside it with the longest name`() throws
  {
    let events = try folder.write(
      "E: 1.000000 0003 0035 7\n", to: "My pad v1.2.tap.twice.events")
    let error = try #require(throws: RecordingError.self) { try Recording.read(path: events) }
    guard case .noDescription(let files) = error.problem else {
      Issue.record("unexpected: \(error)")
      return
    }
    let stems = ["My pad v1.2.tap.twice", "My pad v1.2.tap", "My pad v1.2", "My pad v1"]
    #expect(
      files
        == stems.flatMap { stem in
          ["prop", "desc", "device"].map { "\(folder.path)/\(stem).\($0)" }
        })

    for (name, device) in [
      ("My pad v1.device", "far"), ("My pad v1.2.desc", "near"), ("My pad v1.2.prop", "nearest"),
    ] {
      try folder.write("N: \(device)\nI: 3 1 2 3\nA: 35 0 9 0 0\n", to: name)
      let recording = try Recording.read(path: events)
      #expect(recording.description.name == device)
      #expect(recording.events.map(\.value) == [7])
    }
  }

  @Test func `An error in the description names the description's file`() throws {
    let events = try folder.write("E: 1.000000 0003 0035 7\n", to: "pad.events")
    let description = try folder.write("N: x\nI: y\n", to: "pad.prop")
    let error = try #require(throws: RecordingError.self) { try Recording.read(path: events) }
    #expect(error.path == description)
    #expect(error.line == 2)
  }

  @Test func `A description that has only events is refused`() throws {
    let events = try folder.write("E: 1.000000 0003 0035 7\n", to: "pad.events")
    try folder.write("E: 1.000000 0003 0035 7\n", to: "pad.prop")
    #expect(throws: RecordingError.self) { try Recording.read(path: events) }
  }

  @Test func `Reading one device from a file with two is an error`() throws {
    let path = try folder.write(libinputText, to: "two.yml")
    let error = try #require(throws: RecordingError.self) { try Recording.read(path: path) }
    #expect(error.problem == .severalDevices(2))
  }

  @Test func `Missing files, folders and pipes are refused`() throws {
    let missing = try #require(throws: RecordingError.self) {
      try Recording.read(path: "\(folder.path)/nothing\u{1b}[2J")
    }
    #expect(
      missing.description == "\(folder.path)/nothing\\u{1b}[2J: cannot be opened: "
        + "No such file or directory")
    let own = try #require(throws: RecordingError.self) {
      try Recording.read(path: folder.path)
    }
    #expect(own.problem == .notAFile)
    try run("mkfifo '\(folder.path)/pipe'")
    let pipe = try #require(throws: RecordingError.self) {
      try Recording.read(path: "\(folder.path)/pipe")
    }
    #expect(pipe.problem == .notAFile)
  }

  @Test func `A file above the size limit is refused`() throws {
    try run("truncate -s 1073741825 '\(folder.path)/huge'")
    let error = try #require(throws: RecordingError.self) {
      try Recording.read(path: "\(folder.path)/huge")
    }
    #expect(error.problem == .tooLarge(limit: 1_073_741_824))
  }

  /// What a terminal shows before and after recordings.
  @Test(arguments: [
    "\u{feff}", "$ sudo libinput record\nN: a notice\nRecording to stdout.\n",
    "Recording to 'stdout'.\r\n",
    "# mine\n$ sudo apt install evtest\nE: Unable to locate package\n\n",
  ])
  func `A recording is read from where it begins, to the Ctrl-C`(before: String) throws {
    let untitled = evemuHeader.split(separator: "\n").drop { !$0.hasPrefix("N:") }
      .joined(separator: "\n")
    for text in [libinputText, String(libinputText.dropFirst(18)), evemuHeader, untitled] {
      #expect(try parse(before + text + "\n^C$ exit\n") == parse(text))
    }
    let line = before.utf8.count { $0 == UInt8(ascii: "\n") } + 3
    #expect(message(before + "N: x\nI: 1 2 3 4\nA: 35 0\n")?.hasPrefix("test:\(line):") == true)
  }

  @Test(arguments: [
    ("", "test: the file is empty"),
    ("\n\n  \n", "test: the file is empty"),
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
