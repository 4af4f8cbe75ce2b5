import Testing
import TouchModel

@testable import Recordings

@Suite struct LibinputReaderTests {
  @Test func `All devices of a file are read with their events and screens`() throws {
    let recordings = try parse(libinputText)
    try #require(recordings.count == 2)
    let glass = recordings[0]
    #expect(glass.description.name == "Glass \"23\"")
    #expect(
      glass.description.identifiers
        == DeviceIdentifiers(bus: 24, vendor: 1267, product: 10752, version: 256))
    #expect(glass.description.properties == [1])
    #expect(glass.description.codes == [1: [330], 20: [0, 1]])
    #expect(Set(glass.description.axes.keys) == [47, 53, 54, 57])
    #expect(
      glass.description.axes[53]
        == AxisInfo(minimum: -5, maximum: 4095, fuzz: 1, flat: 2, resolution: 20))
    #expect(glass.initialValues == [47: 1])
    #expect(
      glass.events == [
        InputEvent(time: .zero, type: 3, code: 57, value: 2194),
        InputEvent(time: .zero, type: 3, code: 53, value: 206),
        InputEvent(time: .zero, type: 0, code: 0, value: 0),
        InputEvent(time: Timestamp(microseconds: 1_142_438), type: 3, code: 57, value: -1),
        InputEvent(time: Timestamp(microseconds: 1_142_438), type: 0, code: 0, value: 0),
      ])
    let menu = ScreenCue(time: Timestamp(microseconds: 500_000), screen: "menu")
    #expect(recordings.map(\.screens) == [[menu], [menu]])
  }

  @Test func `Files with known defects of libinput are read as intended`() throws {
    // The text has a line end in a name, lacks a line end as with `--autorestart`, and has a time
    // before zero.
    let second = try #require(try parse(libinputText).last)
    #expect(second.description.name == "Second\nline")
    #expect(second.description.codes == [1: [30]])
    #expect(
      second.events == [
        InputEvent(time: Timestamp(microseconds: -1), type: 1, code: 30, value: 1),
        InputEvent(time: Timestamp(microseconds: 2), type: 0, code: SynCode.dropped, value: 0),
      ])
  }

  @Test func `The layout of libinput's manual page is read`() throws {
    let text = """
      version: 1
      ndevices: 1
      devices:
        - node: /dev/input/event9
          evdev:
            name: Synaptics TM2668-002
            id: [29, 1739, 0, 0]
            codes:
              3: [0] # EV_ABS
            absinfo:
              0: [0, 4089, 0, 0, 42]
            properties: [0, 2, 4]
          hid: [12, 23, 34, 45]
          events:
            - evdev:
              - [  0,  11879,   3,   0,  1330] # EV_ABS / ABS_X                1330

      """
    let recording = try #require(try parse(text).first)
    #expect(recording.description.name == "Synaptics TM2668-002")
    #expect(recording.description.properties == [0, 2, 4])
    #expect(recording.events.map(\.value) == [1330])
  }

  @Test func `Unknown sections are ignored`() throws {
    let text = libinputText.replacing("    udev:\n", with: "    novelty: {a: 1}\n    udev:\n")
      .replacing("    - hid:\n", with: "    - novelty:\n      - [1, 2]\n    - hid:\n")
      .replacing("system:\n", with: "novelty:\n  - name: \"x\"\nsystem:\n")
    #expect(try parse(text) == parse(libinputText))
  }

  @Test(arguments: [
    ("version: 1\n", "version: 2\n", "test:2: 'version: 2' should be 'version: 1'"),
    ("ndevices: 2\n", "ndevices: many\n", "test:3: 'ndevices: many' should be 'ndevices: NUMBER'"),
    ("ndevices: 2\n", "ndevices: 3\n", "test: announces 3 devices but contains 2"),
    ("id: [24, 1267,", "id: [24, 70000,", "test:23: "),
    (
      "    id: [24, 1267, 10752, 256]\n", "",
      "test:12: the description of the device lacks the id"
    ),
    (
      "    name: \"Glass \"23\"\"\n", "",
      "test:12: the description of the device lacks the name"
    ),
    ("1: [330] # EV_KEY", "1: [330", "test:26: "),
    ("47: [0, 9, 0, 0, 0]", "47: [0, 9, 0, 0]", "test:30: "),
    ("      54: [0, 4095, 0, 0, 32]\n", "", "test:12: axis 54 has no range"),
    ("properties: [1]", "properties: [x]", "test:34: "),
    ("[  0,      0,   3,  53,     206]", "[  0, 1000000,   3,  53,     206]", "test:48: "),
    ("[  0,      0,   3,  53,     206]", "[  0, 0,   3,  53,     9206000000]", "test:48: "),
    ("[  0,      0,   3,  53,     206]", "[  0, 0,   3,  53]", "test:48: "),
    ("[  0,      0,   3,  53,     206]", "[  0, 0,   3,", "test:48: "),
    ("- [  0,      0,   3,  53,     206]", "- ", "test:48: "),
    ("- node: /dev/input/event6", "- nude: x", "test:13: 'evdev:' is before"),
    ("# touchgrid-screen 0.5 menu", "# touchgrid-screen x menu", "test:57: "),
  ])
  func `Errors name their line`(
    right: String, wrong: String, beginning: String
  ) throws {
    try #require(libinputText.contains(right))
    let text = try #require(message(libinputText.replacing(right, with: wrong)))
    #expect(text.hasPrefix(beginning))
  }

  @Test func `A name without a closing quote is refused`() {
    let text = libinputText.replacing(
      "\"Second\n", with: "\"Second\n" + String(repeating: "x\n", count: 600)
    )
    .replacing("line\"", with: "line")
    #expect(message(text)?.contains("the rest of the device's name") == true)
  }
}
