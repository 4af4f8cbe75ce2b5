internal import ArgumentParser
internal import Glibc
internal import Storage
internal import TouchInput
internal import TouchModel

/// Measures the processing from raw events to grids, in one process and on one thread. It is meant
/// for tools that count instructions and allocations.
@main
struct Flow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flow", abstract: "What an event costs from the decoder to the grids.")

  @Option(help: "Fingers that draw at once.") var fingers = 10
  @Option(help: "Frames, of which 120 are a second of touching.") var frames = 12_000
  @Option(help: "Where the session is written, every 5 s of touching; nowhere without it.")
  var store: String?
  @Flag(help: "Somebody watches.") var watched = false
  @Flag(help: "Fingers land once, and stay.") var held = false
  @Flag(help: "Fingers tap, five times a second, instead of drawing.") var taps = false
  @Option(help: "Controls of the screen.") var controls = 0

  func run() throws {
    let panel = Panel(fingers: fingers, isHeld: held, taps: taps)
    var process = try Process(panel, watched: watched, controls: controls, store: store)
    // Do not measure the first frames, which cause one-time work. Held fingers take longer to reach
    // every block for the first time.
    let warm = held ? 120_000 : 1200
    for number in 0..<warm { try process.take(panel.frame(number), number) }
    let begun = clock()
    let events = process.events
    for number in warm..<warm + frames { try process.take(panel.frame(number), number) }
    let elapsed = clock() - begun
    print("events \(process.events - events)")
    print("nanoseconds \(Double(elapsed) / Double(process.events - events))")
  }

  private func clock() -> Int64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }
}

/// A Full HD panel with as many slots as fingers. The fingers draw strokes of 0.9 s or, if they are
/// held, one stroke without an end.
struct Panel {
  let fingers: Int
  let isHeld: Bool
  private let strokes: [[InputEvent]]
  private let period: Int
  private let down: Int
  private var held: [[InputEvent]] = []

  static let width = 1920
  static let height = 1080

  init(fingers: Int, isHeld: Bool, taps: Bool) {
    self.fingers = fingers
    self.isHeld = isHeld
    let (period, down) = taps ? (24, 12) : (120, 108)
    (self.period, self.down) = (period, down)
    strokes = (0..<7200).map { number in
      let phase = number % period
      // A tap stays where it began.
      return Self.events(taps ? number - phase : number, phase, down, fingers)
    }
    if isHeld { held = (0..<7200).map { Self.events($0, 1, down, fingers) } }
  }

  /// Returns the kernel's events of one frame, without their time.
  func frame(_ number: Int) -> [InputEvent] {
    // Held fingers touch down in the first frame and only move afterwards.
    isHeld && number > 0 ? held[number % held.count] : strokes[number % strokes.count]
  }

  private static func events(
    _ number: Int, _ phase: Int, _ down: Int, _ fingers: Int
  ) -> [InputEvent] {
    guard phase <= down else { return [] }
    var events: [InputEvent] = []
    func say(_ code: UInt16, _ value: Int, _ type: UInt16 = EventType.abs) {
      events.append(InputEvent(time: .zero, type: type, code: code, value: Int32(value)))
    }
    for finger in 0..<fingers {
      if fingers > 1 { say(AbsCode.mtSlot, finger) }
      if phase == 0 { say(AbsCode.mtTrackingID, number + finger) }
      if phase == down { say(AbsCode.mtTrackingID, -1) }
      guard phase < down else { continue }
      say(AbsCode.mtPositionX, (number * 7 + finger * 190) % width)
      say(AbsCode.mtPositionY, (number * 5 + finger * 100) % height)
    }
    say(SynCode.report, 0, EventType.syn)
    return events
  }

  var description: DeviceDescription {
    func axis(_ count: Int) -> AxisInfo {
      AxisInfo(minimum: 0, maximum: Int32(count - 1), resolution: 10)
    }
    return DeviceDescription(
      name: "panel", properties: [1], codes: [EventType.key: [KeyCode.buttonTouch]],
      axes: [
        AbsCode.mtSlot: axis(fingers), AbsCode.mtTrackingID: axis(65_536),
        AbsCode.mtPositionX: axis(Self.width), AbsCode.mtPositionY: axis(Self.height),
      ])
  }
}

/// The daemon's processing of events, without devices, clients and threads.
struct Process: ~Copyable {
  private(set) var events = 0
  private var decoder: DeviceDecoder
  private var recorder = SessionRecorder(rules: SessionRules(), firstSession: 1)
  private var mint = TouchIDGenerator()
  private var feed: LiveFeed?
  private let device: SessionRecorder.DeviceIndex
  private let store: Store?

  init(_ panel: Panel, watched: Bool, controls: Int, store path: String?) throws {
    let decoder = try DeviceDecoder(panel.description)
    store = try path.map { try Store(path: $0) }
    guard
      let geometry = DisplayGeometry(
        pixelWidth: Panel.width, pixelHeight: Panel.height, scale: 1, rotation: .none,
        blockSize: 16)
    else { fatalError("a display of Full HD has a geometry") }
    let placement = Placement(
      device: "panel", x: .init(minimum: 0, maximum: Int32(Panel.width - 1)),
      y: .init(minimum: 0, maximum: Int32(Panel.height - 1)), display: "glass", geometry: geometry,
      displaySource: .guess)
    let moment = Self.moment(0)
    device = recorder.addDevice(
      key: "panel", slots: decoder.slotCount, isVirtual: false, placement: placement, at: moment)
    recorder.setControls(
      [ScreenControls(screen: SessionRecorder.initialScreen, controls: Self.controls(controls))],
      at: nil)
    feed = watched ? LiveFeed(recorder, mint: TouchIDGenerator(), at: moment) : nil
    self.decoder = decoder
  }

  /// Buttons of 120 x 60 points, in rows.
  private static func controls(_ count: Int) -> [Control] {
    (0..<count).compactMap { number -> Control? in
      let (column, row) = (number % 12, number / 12)
      let (x, y) = (Double(20 + column * 155), Double(20 + row * 100))
      guard let rectangle = Rectangle(x: x, y: y, width: 120, height: 60) else { return nil }
      return Control(name: "\(number)", rectangle: rectangle)
    }
  }

  private static func moment(_ frame: Int) -> Moment {
    let time = Int64(frame) * 1_000_000 / 120
    return Moment(
      monotonic: Timestamp(microseconds: 1_000_000 + time),
      boottime: Timestamp(microseconds: 1_000_000 + time),
      wall: WallTime(milliseconds: 1_790_000_000_000 + time / 1000))
  }

  mutating func take(_ frame: [InputEvent], _ number: Int) throws {
    let moment = Self.moment(number)
    var position = 0
    while position < frame.count {
      let rest = frame.span.extracting(position...)
      let (count, outcome) = decoder.process(rest, mint: &mint)
      position += count
      guard outcome.isFrame else { continue }
      recorder.process(decoder.updates, device: device, at: moment.monotonic, now: moment)
      feed?.process(
        decoder.updates, device: device, at: moment.monotonic, now: moment, recorder: recorder)
    }
    events += frame.count
    recorder.advance(to: moment)
    feed?.advance(to: moment, recorder: recorder)
    _ = feed?.takeFrames()
    for record in recorder.takeRecords() { try store?.write(record) }
  }
}
