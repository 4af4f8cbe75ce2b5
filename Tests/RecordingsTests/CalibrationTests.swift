import TestSupport
import Testing
import TouchInput
import TouchModel

@testable import Recordings

@Suite struct CalibrationTests {
  @Test func `The calibration of a device is read from udev's properties`() throws {
    let text = libinputText.replacing(
      "    - ID_INPUT=1\n",
      with: "    - ID_INPUT=1\n    - LIBINPUT_CALIBRATION_MATRIX=-1 0 1 0 -1 1\n")
    #expect(try parse(text).map(\.calibration) == ["-1 0 1 0 -1 1", nil])
  }

  @Test func `An evemu file keeps the calibration in a comment`() throws {
    let recording = Recording(description: .panel(), calibration: "0 -1 1 1 0 0")
    #expect(try parse(recording.evemuText) == [recording])
    #expect(
      message("N: x\nI: 1 2 3 4\n# touchgrid-calibration 1 2 3\n")?
        .hasPrefix("test:3: '# touchgrid-calibration 1 2 3' should be") == true)
  }

  @Test(
    arguments: [
      DeviceDescription.panel(x: -5...1200, y: 3...1920), .singleTouch(x: 0...799, y: 0...479),
      .anonymous(x: 0...1023, y: 0...767),
    ], ["-1 0 1 0 -1 1", "0 -1 1 1 0 0", "0 1 0 -1 0 1", "1.1 0.02 -0.03 0 0.9 0.1"])
  func `Without the calibration, calibrated events lie where recorded ones do with it`(
    device: DeviceDescription, calibration: String
  ) throws {
    var gestures = Gestures(on: device)
    gestures.down(0, 10, 20)
    gestures.frame()
    gestures.down(1, 700, 400)
    gestures.frame()
    // Changes of one axis, and of the slot that is not the current one.
    gestures.move(0, 10, 60)
    gestures.frame()
    gestures.move(1, 650, 400)
    gestures.move(0, 12, 60)
    gestures.frame()
    gestures.upAll()
    gestures.frame()
    gestures.tap(0, at: (12, 60))
    var recording = gestures.recording
    recording.calibration = calibration
    let matrix = try #require(CalibrationMatrix(calibration))
    let expected = try positions(recording.events, device) { matrix.apply($0, $1) }
    let found = try positions(recording.calibratedEvents, device) { ($0, $1) }
    #expect(found.count == expected.count && !found.isEmpty)
    for (found, expected) in zip(found, expected) {
      #expect(abs(found.x - expected.x) < 0.0025 && abs(found.y - expected.y) < 0.0025)
    }
  }

  @Test func `The first events are calibrated in the slot that was selected before`() {
    var gestures = Gestures(on: .panel())
    gestures.down(1, 10, 20)
    gestures.frame()
    gestures.move(1, 10, 60)
    gestures.down(0, 700, 400)
    gestures.frame()
    gestures.move(1, 10, 90)
    gestures.frame()
    var recording = gestures.recording
    recording.calibration = "0 -1 1 1 0 0"
    let events = recording.calibratedEvents
    let first = recording.events.removeFirst()
    #expect(first.code == AbsCode.mtSlot && first.value == 1)
    recording.initialValues = [AbsCode.mtSlot: 1]
    #expect([first] + recording.calibratedEvents == events)
  }

  private func positions(
    _ events: [InputEvent], _ device: DeviceDescription,
    _ apply: (Double, Double) -> (x: Double, y: Double)
  ) throws -> [(x: Double, y: Double)] {
    var decoder = try DeviceDecoder(device)
    var mint = TouchIDGenerator()
    let (x, y) = (decoder.contactProtocol.x, decoder.contactProtocol.y)
    let across = Placement.Range(minimum: x.minimum, maximum: x.maximum)
    let down = Placement.Range(minimum: y.minimum, maximum: y.maximum)
    return events.flatMap { event in
      decoder.process(event, mint: &mint).isFrame
        ? decoder.updates.map { apply(across.normalised($0.x), down.normalised($0.y)) } : []
    }
  }
}
