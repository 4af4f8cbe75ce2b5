import Heatmaps
import Recordings
import TestSupport
import Testing
import Text
import TouchModel

@testable import TouchgridCommands

@Suite struct DecodedRecordingTests {
  @Test func `A tap is printed with microseconds and points`() throws {
    var gestures = Gestures(on: .panel(width: 1024, height: 768))
    gestures.tap(at: (100, 200))
    let lines = try DecodedRecording([gestures.recording]).touchLines()
    #expect(
      lines == [
        #"{"touch":1,"device":"Touchgrid test panel","slot":0,"trackingId":0,"#
          + #""began":{"time":0.000000,"rawX":100,"rawY":200,"x":100,"y":200,"column":6,"row":12},"#
          + #""ended":{"time":0.080000,"rawX":100,"rawY":200,"x":100,"y":200,"column":6,"row":12},"#
          + #""end":"ended","samples":1}"#
      ])
  }

  @Test func `Points are those of the recorded calibration, and the summary names it`() throws {
    var gestures = Gestures(on: .panel(width: 1024, height: 768))
    gestures.tap(at: (100, 200))
    var recording = gestures.recording
    recording.calibration = "-1 0 1 0 -1 1"
    let decoded = DecodedRecording([recording])
    #expect(try decoded.touchLines()[0].contains(#""rawX":100,"rawY":200,"x":924,"y":568"#))
    let summary = decoded.summary(path: "a", width: 200).joined(separator: "\n")
    #expect(summary.contains("-1 0 1 0 -1 1 (from udev, when recorded)"))
    let device = decoded.summaryJSON(path: "a")["devices"]?.elements?.first
    #expect(device?["calibration"] == "-1 0 1 0 -1 1")
  }

  @Test func `The summary names an axis that sends values beyond its range`() {
    var gestures = Gestures(on: .panel(width: 480, height: 272))
    gestures.drag(from: (20, 20), to: (400, 470))
    let decoded = DecodedRecording([gestures.recording])
    let summary = decoded.summary(path: "a", width: 400).joined(separator: "\n")
    #expect(summary.contains("its y axis sends values up to 470, but its driver says 0 to 271"))
    #expect(summary.contains("y = [0, 470]") && !summary.contains("its x axis"))
  }

  @Test func `A press that bounces in every frame is one touch, up to its last frame`() {
    var gestures = Gestures(on: .singleTouch())
    for pause in [0, 7_000, 1_000_000] as [Int64] {
      gestures.wait(pause)
      for value in [1, 0] as [Int32] { gestures.raw(EventType.key, KeyCode.buttonTouch, value) }
      gestures.frame()
    }
    let decoded = DecodedRecording([gestures.recording])
    #expect(decoded.touches.map(\.end) == [.ended, .ended])
    #expect(decoded.touches.map { $0.last.time - $0.began.time } == [17_000, 0])
  }

  @Test func `Touches are listed in the order of their touch-downs`() {
    var gestures = Gestures(on: .panel())
    gestures.down(3, 10, 10)
    gestures.frame()
    gestures.down(0, 20, 20)
    gestures.frame()
    gestures.up(3)
    gestures.down(1, 30, 30)
    gestures.frame()
    gestures.upAll()
    gestures.frame()
    let decoded = DecodedRecording([gestures.recording])
    #expect(decoded.touches.map(\.slot) == [3, 0, 1])
    #expect(decoded.touches.map(\.samples) == [2, 2, 1])
    #expect(decoded.devices.first?.mostAtOnce == 2)
  }

  @Test func `A palm is cancelled`() {
    let tool = [AbsCode.mtToolType: AxisInfo(minimum: 0, maximum: 2)]
    var gestures = Gestures(on: .panel(extra: tool))
    gestures.down(0, 10, 10)
    gestures.frame()
    gestures.set(0, AbsCode.mtToolType, ToolType.palm)
    gestures.frame()
    gestures.up(0)
    gestures.frame()
    let touch = DecodedRecording([gestures.recording]).touches.first
    #expect(touch?.end == .cancelled)
    #expect(touch?.isPalm == true)
  }

  @Test func `Lost events are counted, and the touch goes on`() {
    var gestures = Gestures(on: .panel())
    gestures.down(0, 10, 10)
    gestures.frame()
    gestures.raw(EventType.syn, SynCode.dropped, 0)
    gestures.move(0, 20, 20)
    gestures.frame()
    gestures.up(0)
    gestures.frame()
    let decoded = DecodedRecording([gestures.recording])
    #expect(decoded.devices.first?.drops == 1)
    #expect(decoded.touches.count == 1)
    #expect(decoded.touches.first?.end == .ended)
    // The decoder does not trust the events between the lost ones and the end of their frame.
    #expect(decoded.touches.first?.last.rawX == 10)
  }

  @Test func `The first events apply to the initially selected slot`() {
    var recording = Recording(description: .panel(), initialValues: [AbsCode.mtSlot: 4])
    let begin = [
      (AbsCode.mtTrackingID, Int32(9)), (AbsCode.mtPositionX, 5), (AbsCode.mtPositionY, 6),
    ]
    recording.events =
      begin.map { InputEvent(time: .zero, type: EventType.abs, code: $0.0, value: $0.1) }
      + [InputEvent(time: .zero, type: EventType.syn, code: SynCode.report, value: 0)]
    #expect(DecodedRecording([recording]).touches.first?.slot == 4)
  }

  @Test func `Touches of several devices are interleaved by time`() {
    var first = Gestures(on: .panel(name: "first"))
    first.tap(at: (1, 1))
    first.wait(1_000_000)
    first.tap(at: (3, 3))
    var second = Gestures(on: .panel(name: "second"), start: Timestamp(microseconds: 1_500_000))
    second.tap(at: (2, 2))
    let decoded = DecodedRecording([first.recording, second.recording])
    #expect(decoded.touches.map(\.device) == [0, 1, 0])
    #expect(decoded.touches.map(\.id.value) == [1, 2, 3])
    #expect(decoded.start == Timestamp(microseconds: 1_010_000))
  }

  @Test func `A device that is not a touchscreen is left out and named`() {
    var gestures = Gestures(on: .panel())
    gestures.tap(at: (1, 1))
    let keyboard = Recording(description: DeviceDescription(name: "keys"))
    let decoded = DecodedRecording([keyboard, gestures.recording])
    #expect(decoded.devices.count == 1)
    #expect(decoded.refused.map(\.name) == ["keys"])
    #expect(decoded.touches.count == 1)
    #expect(
      decoded.summary(path: "x", width: 80).last
        == "  left out  keys: it announces no position axes")
  }

  @Test func `The summary fits 80 columns`() {
    var gestures = Gestures(
      on: .panel(x: 0...32767, y: 0...32767, resolution: (80, 142), name: "Evil %s\n\u{1b}[2J"))
    gestures.screen("menu")
    gestures.tap(at: (100, 100))
    gestures.screen("checkout/pay")
    gestures.down(1, 5, 5)
    gestures.frame()
    #expect(
      DecodedRecording([gestures.recording]).summary(path: "demo.evemu", width: 80) == [
        "demo.evemu",
        #"  device    Evil %s\u{a}\u{1b}[2J (0006:1209:0001)"#,
        "  protocol  multitouch B, up to 10 touches at once",
        "  ranges    x 0 to 32767 (80 per mm), y 0 to 32767 (142 per mm)",
        "  display   1024 x 577 points, 64 x 37 blocks of 16 (a guess)",
        "  frames    3, of 18 events",
        "  touches   2, at most 1 at once; 1 still down at the end",
        "  length    0.08 s the shortest, 0.08 s the median, 0.08 s the longest",
        "  duration  0.09 s",
        "  screens   menu, checkout/pay (2 changes)",
      ])
  }

  @Test func `Times before the first event are negative`() {
    #expect(secondsText(-1) == "-0.000001")
    #expect(secondsText(12_345_678) == "12.345678")
    #expect(secondsText(.min) == "-9223372036854.775808")
  }
}
