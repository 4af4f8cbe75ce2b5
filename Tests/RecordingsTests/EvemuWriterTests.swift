import TestSupport
import Testing
import TouchModel

@testable import Recordings

@Suite struct EvemuWriterTests {
  @Test func `The written text has evemu's format`() throws {
    let device = DeviceDescription(
      name: "Pad\n1",
      identifiers: DeviceIdentifiers(bus: 3, vendor: 0x1209, product: 0xABCD, version: 0x110),
      properties: [1], codes: [1: [0x14a], 0x14: []],
      axes: [
        0x35: AxisInfo(minimum: -5, maximum: 4095, fuzz: 1, flat: 2, resolution: 20),
        0x36: AxisInfo(minimum: 0, maximum: 4095),
      ])
    let recording = Recording(
      description: device, initialValues: [0x35: -7],
      events: [
        InputEvent(time: Timestamp(microseconds: -1_500_000), type: 3, code: 0x35, value: -1),
        InputEvent(time: Timestamp(microseconds: 1_000_042), type: 0, code: 0, value: 12345),
      ],
      screens: [ScreenCue(time: Timestamp(microseconds: 42), screen: "menu")])
    #expect(
      recording.evemuText == """
        # EVEMU 1.3
        # Input device name: "Pad?1"
        #   Event type 3 (EV_ABS)
        #     Event code 53
        #       Value -7
        N: Pad?1
        I: 0003 1209 abcd 0110
        P: 02 00 00 00 00 00 00 00
        B: 00 0b 00 10 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 04 00 00 00 00 00 00
        B: 03 00 00 00 00 00 00 60 00
        B: 14 00 00 00 00 00 00 00 00
        A: 35 -5 4095 1 2 20
        A: 36 0 4095 0 0 0
        E: 18446744073709551614.500000 0003 0035 -001
        # touchgrid-screen 0.000042 menu
        E: 1.000042 0000 0000 12345

        """)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `A written recording is read back unchanged`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let recording = Self.anyRecording(using: &random)
    let back = try parse(recording.evemuText)
    #expect(back == [recording])
  }

  @Test func `Values that the format cannot hold are left out`() throws {
    let device = DeviceDescription(
      codes: [0: [1], 0xffff: [3], 1: [0x2ff, 0x300, 0xffff]],
      axes: [0xffff: AxisInfo(minimum: 0, maximum: 1)])
    let back = try parse(Recording(description: device).evemuText)[0]
    #expect(back.description.codes == [1: [0x2ff]])
    #expect(back.description.axes.isEmpty)
  }

  private static func anyRecording(using random: inout SeededGenerator) -> Recording {
    func any32() -> Int32 {
      Int32(truncatingIfNeeded: random.next()) >> Int32.random(in: 0...31, using: &random)
    }
    func any16() -> UInt16 { UInt16(truncatingIfNeeded: random.next()) }
    func anyTime() -> Timestamp {
      Timestamp(
        microseconds: Int64.random(in: -4_000_000_000_000...4_000_000_000_000, using: &random))
    }
    var device = DeviceDescription(
      name: ["", "a", " a # b ", "Ω \"x\""].randomElement(using: &random) ?? "",
      identifiers: DeviceIdentifiers(
        bus: any16(), vendor: any16(), product: any16(), version: any16()))
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      device.properties.insert(any16() % 0x40)
      device.codes[[1, 2, 4, 5, 0x11, 0x14].randomElement(using: &random) ?? 1] = Set(
        (0..<Int.random(in: 0...5, using: &random)).map { _ in any16() % 0x300 })
      device.axes[any16() % 0x40] = AxisInfo(
        minimum: any32(), maximum: any32(), fuzz: any32(), flat: any32(), resolution: any32())
    }
    var recording = Recording(description: device)
    for code in device.axes.keys where Bool.random(using: &random) {
      recording.initialValues[code] = any32()
    }
    recording.events = (0..<Int.random(in: 0...20, using: &random)).map { _ in
      InputEvent(time: anyTime(), type: any16(), code: any16(), value: any32())
    }
    recording.screens = (0..<Int.random(in: 0...3, using: &random)).map { number in
      ScreenCue(time: anyTime(), screen: "screen \(number)")
    }.sorted { $0.time < $1.time }
    return recording
  }
}
