import Testing
import TouchModel

@testable import Recordings

@Suite struct EvemuReaderTests {
  @Test func `A description is read without comments, LEDs and switches`() throws {
    let recording = try #require(try parse(evemuHeader).first)
    let device = recording.description
    #expect(device.name == "Panel  with blanks ")
    #expect(
      device.identifiers
        == DeviceIdentifiers(bus: 0x18, vendor: 0x04f3, product: 0x2a00, version: 0x0100))
    #expect(device.properties == [1])
    #expect(device.codes == [EventType.key: [KeyCode.buttonTouch], 0x14: []])
    #expect(Set(device.axes.keys) == [0x2f, 0x35, 0x36, 0x39])
    #expect(
      device.axes[0x35]
        == AxisInfo(minimum: -100, maximum: 4095, fuzz: 4, flat: 2, resolution: 20))
    #expect(recording.initialValues == [0x2f: 1, 0x35: -17])
    #expect(recording.events.isEmpty)
  }

  @Test func `Events of every format version are read`() throws {
    let recording = try parse(
      evemuHeader + """
        ################################
        #      Waiting for events      #
        ################################
        E: 0.000001 0003 002f 0000\t# EV_ABS / ABS_MT_SLOT          0
        E: 1338955459.300482 0003 0039 16
        E: 1338955459.300482 3 39 -001
        E: 1338955459.300400 0003 0035 -2147483648   # a step back

        E: 5.000000 0000 0000 0001\t# ------------ SYN_REPORT (1) ---------- +7ms\r

        """)[0]
    #expect(
      recording.events == [
        InputEvent(time: Timestamp(microseconds: 1), type: 3, code: 0x2f, value: 0),
        InputEvent(
          time: Timestamp(microseconds: 1_338_955_459_300_482), type: 3, code: 0x39, value: 16),
        InputEvent(
          time: Timestamp(microseconds: 1_338_955_459_300_482), type: 3, code: 0x39, value: -1),
        InputEvent(
          time: Timestamp(microseconds: 1_338_955_459_300_400), type: 3, code: 0x35,
          value: .min),
        InputEvent(time: Timestamp(microseconds: 5_000_000), type: 0, code: 0, value: 1),
      ])
  }

  @Test func `Negative times printed as huge unsigned numbers are read`() throws {
    let recording = try parse(
      evemuHeader + """
        E: 18446744073709551615.500000 0000 0000 0
        E: 18446744073709551615.4294467296 0000 0000 0
        E: 0.4294967295 0000 0000 0

        """)[0]
    #expect(recording.events.map(\.time.microseconds) == [-500_000, -1_500_000, -1])
  }

  @Test(arguments: [
    ("A: 35 0 4095 1", AxisInfo(minimum: 0, maximum: 4095, fuzz: 1)),
    ("A: 35 0 4095 1 2", AxisInfo(minimum: 0, maximum: 4095, fuzz: 1, flat: 2)),
    ("A: 35 0 4095 1 2 3", AxisInfo(minimum: 0, maximum: 4095, fuzz: 1, flat: 2, resolution: 3)),
    ("A: 35 0 4095 1 # old", AxisInfo(minimum: 0, maximum: 4095, fuzz: 1)),
  ])
  func `Axes of every format version are read, with 0 for missing values`(
    line: String, axis: AxisInfo
  ) throws {
    let recording = try parse("N: x\nI: 3 1 2 3\n\(line)\n")[0]
    #expect(recording.description.axes == [0x35: axis])
  }

  @Test func `A file for Android's uinput, with short masks and short times, is read`() throws {
    let text = """
      N: ACME Terrible Touchscreen
      I: 0001 1234 5678 9abc
      P: 02
      B: 00 0b
      B: 03 00 00 00 00 00 80 60 02
      A: 2f 0 9 0 0
      A: 35 0 1599 0 0
      A: 36 0 2559 0 0
      A: 39 0 65535 0 0
      E: 0.000001 3 39 1
      E: 0.1 3 39 -1
      E: 12.05 0 0 0

      """
    let recording = try parse(text)[0]
    #expect(recording.description.properties == [1])
    #expect(recording.events.map(\.time.microseconds) == [1, 100_000, 12_050_000])
    // A line after a short one of the same mask could not be placed.
    #expect(message(text + "B: 03 00\n") == nil)
    #expect(message(text + "B: 00 00\n")?.hasPrefix("test:13: 'B: 00 00' should be") == true)
  }

  @Test func `An axis that the bit mask does not announce is ignored`() throws {
    let recording = try parse(evemuHeader + "A: 3f 0 1 0 0 0\n")[0]
    #expect(recording.description.axes[0x3f] == nil)
    #expect(recording.description.axes.count == 4)
  }

  @Test func `A name keeps hash signs and quotes, and invalid bytes are replaced`() throws {
    #expect(
      try parse("N: Evil %s %d \"# 1\nI: 3 1 2 3\nB: 00 01 00 00 00 00 00 00 00\n")[0]
        .description.name == "Evil %s %d \"# 1")
    let bytes = Array("N: A".utf8) + [0xff, 0x07] + Array("Z\nI: 3 1 2 3\n".utf8)
    #expect(try parse(bytes)[0].description.name == "A\u{fffd}\u{7}Z")
    #expect(try parse("N:\nI: 3 1 2 3\n")[0].description.name == "")
  }

  @Test func `Screen cues are sorted by time`() throws {
    let name = String(repeating: "é", count: 64)
    let recording = try parse(
      evemuHeader + """
        # touchgrid-screen 12.5 checkout/pay\t
        E: 12.000000 0000 0000 0
        #touchgrid-screen 3 Menü, groß
        # touchgrid-screen -0.000001 \(name)

        """)[0]
    #expect(
      recording.screens == [
        ScreenCue(time: Timestamp(microseconds: -1), screen: name),
        ScreenCue(time: Timestamp(microseconds: 3_000_000), screen: "Menü, groß"),
        ScreenCue(time: Timestamp(microseconds: 12_500_000), screen: "checkout/pay"),
      ])
  }

  @Test(arguments: [
    "# touchgrid-screen", "# touchgrid-screen 1", "# touchgrid-screen 1 ",
    "# touchgrid-screen menu", "# touchgrid-screen 1.1234567 menu", "# touchgrid-screen 1. menu",
    "# touchgrid-screen 99999999999999 menu", "# touchgrid-screen 1 a\u{7}b",
    "# touchgrid-screen 1 a\u{202e}b", "# touchgrid-screens 1 menu",
    "# touchgrid-screen 1 " + String(repeating: "x", count: 129),
  ])
  func `An invalid screen cue is refused with its line number`(line: String) throws {
    let text = try #require(message("N: x\n\(line)\nI: 3 1 2 3\n"))
    #expect(text.hasPrefix("test:2: '# touchgrid-screen"))
    #expect(text.contains("# touchgrid-screen SECONDS NAME"))
  }

  @Test func `Response cues say how soon the app responded, or that it did not`() throws {
    let recording = try parse(
      evemuHeader + """
        # touchgrid-response 12.5 120 pay now\t
        #touchgrid-response 3 - photo
        # touchgrid-response -1 2500 0

        """)[0]
    #expect(
      recording.responses == [
        ResponseCue(
          ended: Timestamp(microseconds: 12_500_000), milliseconds: 120, control: "pay now"),
        ResponseCue(ended: Timestamp(microseconds: 3_000_000), milliseconds: nil, control: "photo"),
        ResponseCue(ended: Timestamp(microseconds: -1_000_000), milliseconds: 2500, control: "0"),
      ])
  }

  @Test(arguments: [
    "", " 1", " 1 20", " 1 2501 pay", " 1 -1 pay", " 1 x pay", " 1 pay", "s 1 2 pay",
  ])
  func `An invalid response cue is refused with its line number`(rest: String) throws {
    let text = try #require(message("N: x\n# touchgrid-response\(rest)\nI: 3 1 2 3\n"))
    #expect(text.hasPrefix("test:2: '# touchgrid-response"))
    #expect(text.contains("# touchgrid-response SECONDS MS CONTROL"))
  }

  @Test(arguments: [
    ("E: 1. 0003 0035 1", "SECONDS.MICROSECONDS"),
    ("E: 1.0000000 0003 0035 1", "SECONDS.MICROSECONDS"),
    ("E: 99999999999999999999.000000 0003 0035 1", "SECONDS.MICROSECONDS"),
    ("E: 9223372036854775807.000000 0003 0035 1", "SECONDS.MICROSECONDS"),
    ("E: 1.4000000000 0003 0035 1", "SECONDS.MICROSECONDS"),
    ("E: 1.000000 10003 0035 1", "four hexadecimal"),
    ("E: 1.000000 0003 0g35 1", "four hexadecimal"),
    ("E: 1.000000 0003 0035 2147483648", "2147483647"),
    ("E: 1.000000 0003 0035", "VALUE"),
    ("E: 1.000000 0003 0035 1 2", "VALUE"),
    ("E:", "SECONDS.MICROSECONDS"),
    ("I: 3 1 2", "I: BUS VENDOR PRODUCT VERSION"),
    ("I: 3 1 2 12345", "I: BUS VENDOR PRODUCT VERSION"),
    ("P: 01 0g", "eight bytes"),
    ("B: 01", "eight bytes"),
    ("B: 01 00 00 00 00 00 00 00 100", "eight bytes"),
    ("B: 20 00 00 00 00 00 00 00 00", "TYPE at most 1f"),
    ("A: 35 0", "A: AXIS MINIMUM"),
    ("A: 100 0 1 0 0 0", "A: AXIS MINIMUM"),
    ("A: 35 0 1 0 0 0 0", "A: AXIS MINIMUM"),
    ("A: 35 0 2147483648 0 0 0", "A: AXIS MINIMUM"),
    ("X: 1", "a line that begins with N:"),
    ("nonsense", "a line that begins with N:"),
  ])
  func `The error about a malformed line has its number, its text and the right form`(
    line: String, expected: String
  ) throws {
    let text = try #require(message("# EVEMU 1.3\nN: x\n\(line)\n"))
    #expect(text.hasPrefix("test:3: '\(line)' should be "))
    #expect(text.contains(expected))
  }

  @Test func `Repeated lines that must occur once are refused`() {
    #expect(
      message("N: x\nN: y\n") == "test:2: 'N:' is repeated; it must occur once")
    #expect(message("N: x\nI: 3 1 2 3\nI: 3 1 2 3\n")?.hasPrefix("test:3: 'I:'") == true)
    #expect(
      message("N: x\nI: 3 1 2 3\nA: 35 0 1 0 0\nA: 35 0 1 0 0\n")?
        .hasPrefix("test:4: 'A: 35' is repeated") == true)
  }

  @Test func `The error about an incomplete description names the missing part`() {
    #expect(message("N: x\nE: 1.000000 0 0 0\n")?.contains("'I: BUS VENDOR") == true)
    #expect(message("I: 3 1 2 3\nB: 00 00 00 00 00 00 00 00 00\n")?.contains("'N: …'") == true)
    #expect(
      message("N: x\nI: 3 1 2 3\nB: 03 00 00 00 00 00 00 20 00\n")
        == "test: axis 53 has no range: "
        + "'A: 35 MINIMUM MAXIMUM FUZZ FLAT RESOLUTION' is missing")
    #expect(message("E: 1.000000 0 0 0\n")?.contains("without a description") == true)
  }

  @Test func `A bit mask that is longer than that of any device is refused`() {
    let mask = "B: 01 ff ff ff ff ff ff ff ff\n"
    #expect(message("N: x\nI: 3 1 2 3\n" + String(repeating: mask, count: 12)) == nil)
    #expect(
      message("N: x\nI: 3 1 2 3\n" + String(repeating: mask, count: 13))?
        .contains("test:15: ") == true)
  }
}
