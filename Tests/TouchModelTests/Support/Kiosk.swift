import Testing

@testable import TouchModel

/// Runs a recorder and its clocks as the daemon does: performs due work in time, and takes the
/// records. After every call the totals must add up, and work that was just done must not be due
/// again.
struct Kiosk {
  var recorder: SessionRecorder
  var now: Moment
  /// All records, in the order in which they were taken.
  var records: [SessionRecord] = []
  /// The suspected ghosts outside of sessions, with one element for each time the recorder released
  /// some.
  var ghosts: [[GhostTally]] = []
  /// Each session's grids as the store would hold them.
  var grids: [Int64: [GridKey: [Layer: Counters]]] = [:]
  var views: [Int64: [GridKey: ScreenView]] = [:]
  private var mint = TouchIDGenerator()
  private var fingers: [Int: [Int: TouchUpdate]] = [:]
  /// The live feed, while a client watches.
  private(set) var feed: LiveFeed?
  /// The frames that watching clients received, in order, until `look` removes them.
  var frames: [LiveFrame] = []

  init(_ rules: SessionRules = SessionRules()) {
    recorder = SessionRecorder(rules: rules, firstSession: 1)
    now = Moment(
      monotonic: .ms(1_000_000), boottime: .ms(5_000_000),
      wall: WallTime(milliseconds: 1_700_000_000_000))
  }

  var finals: [SessionRecord] { records.filter { $0.end != nil } }

  func counters(
    _ session: Int64, _ screen: String, _ layer: Layer = .taps, display: String = "DSI-1"
  ) -> [UInt64] {
    let grid = grids[session]?.first { $0.key.screen == screen && $0.key.display == display }
    guard let counters = grid?.value[layer] else { return [] }
    return (0..<counters.count).map { counters[$0] }
  }

  func sum(_ session: Int64, _ screen: String, _ layer: Layer = .taps) -> UInt64 {
    counters(session, screen, layer).reduce(0, +)
  }

  // MARK: Devices

  mutating func add(
    _ placement: Placement?, slots: Int = 10, isVirtual: Bool = false
  ) throws -> Int {
    let placement = try #require(placement)
    let device = recorder.addDevice(
      key: placement.device, slots: slots, isVirtual: isVirtual, placement: placement, at: now)
    check()
    return device
  }

  mutating func remove(_ device: Int) {
    for slot in (fingers[device] ?? [:]).keys.sorted() {
      up(device, slot, .cancelled, .removed)
    }
    recorder.removeDevice(device, at: now)
    check()
  }

  // MARK: Touches

  @discardableResult
  mutating func down(
    _ device: Int, _ slot: Int = 0, _ x: Int32 = 100, _ y: Int32 = 100, isPalm: Bool = false,
    preexisting: Bool = false, lag: Int64 = 0
  ) -> TouchID {
    var update = TouchUpdate(
      touch: mint.mint(), phase: .began, slot: slot, trackingID: 1, x: x, y: y,
      preexisting: preexisting)
    fingers[device, default: [:]][slot] = isPalm ? nil : update
    var updates = [update]
    if isPalm {
      update.phase = .cancelled
      update.cancellation = .palm
      updates.append(update)
    }
    process(updates, device, lag: lag)
    return updates[0].touch
  }

  mutating func move(_ device: Int, _ slot: Int, _ x: Int32, _ y: Int32) {
    guard var update = fingers[device]?[slot] else { return }
    (update.phase, update.x, update.y) = (.moved, x, y)
    fingers[device]?[slot] = update
    process([update], device)
  }

  mutating func up(
    _ device: Int, _ slot: Int = 0, _ phase: Phase = .ended, _ cancellation: Cancellation? = nil
  ) {
    guard var update = fingers[device]?.removeValue(forKey: slot) else { return }
    (update.phase, update.cancellation) = (phase, cancellation)
    process([update], device)
  }

  mutating func tap(
    _ device: Int, _ x: Int32 = 100, _ y: Int32 = 100, slot: Int = 0, milliseconds: Int64 = 80
  ) {
    down(device, slot, x, y)
    pass(milliseconds)
    up(device, slot)
  }

  /// Draws a line with one finger, 10 ms from point to point.
  mutating func draw(_ device: Int, _ points: (x: Int32, y: Int32)...) {
    down(device, 0, points[0].x, points[0].y)
    for point in points.dropFirst() {
      pass(10)
      move(device, 0, point.x, point.y)
    }
    pass(10)
    up(device)
    pass(10)
  }

  /// Taps with several fingers at once, each in its slot.
  mutating func tapTogether(_ device: Int, _ points: (x: Int32, y: Int32)...) {
    for (slot, point) in points.enumerated() { down(device, slot, point.x, point.y) }
    pass(80)
    for slot in points.indices { up(device, slot) }
  }

  /// Taps a panel that has a virtual duplicate.
  /// - Parameter virtualFirst: Whether the duplicate's frame is read first, although it is newer.
  mutating func tapDuplicated(_ panel: Int, _ duplicate: Int, virtualFirst: Bool = true) {
    if virtualFirst {
      down(duplicate)
      down(panel, lag: 2000)
    } else {
      down(panel)
      pass(2)
      down(duplicate)
    }
    pass(80)
    up(panel)
    up(duplicate)
  }

  /// Plays a ghost: short touches at one place, every 12.864 s.
  mutating func haunt(_ device: Int, _ touches: Int = 20) {
    for _ in 0..<touches {
      tap(device, 3000, 2000, slot: 9, milliseconds: 8)
      pass(12_856)
    }
  }

  mutating func process(_ updates: [TouchUpdate], _ device: Int, lag: Int64 = 0) {
    let time = now.monotonic + -lag
    recorder.process(updates, device: device, at: time, now: now)
    feed?.process(updates, device: device, at: time, now: now, recorder: recorder)
    check()
  }

  // MARK: Time

  /// Lets time pass while the machine is awake, and does due work at its time.
  /// - Parameter body: is called at each of these times, before the work.
  mutating func pass(_ milliseconds: Int64, _ body: (Moment) -> Void = { _ in }) {
    let target = now.boottime + milliseconds * 1000
    while let deadline = nextDeadline, deadline <= target {
      shift(max(0, deadline - now.boottime))
      body(now)
      advance()
    }
    shift(target - now.boottime)
    body(now)
    advance()
  }

  var nextDeadline: Timestamp? {
    [recorder.nextDeadline, feed?.nextDeadline].compactMap(\.self).min()
  }

  /// Suspends the machine: `CLOCK_MONOTONIC` stands still, and nothing runs before it wakes.
  mutating func suspend(_ milliseconds: Int64) {
    now.boottime = now.boottime + milliseconds * 1000
    now.wall.milliseconds += milliseconds
  }

  mutating func setWallClock(by milliseconds: Int64) { now.wall.milliseconds += milliseconds }

  private var part: Int64 = 0
  private mutating func shift(_ microseconds: Int64) {
    now.monotonic = now.monotonic + microseconds
    now.boottime = now.boottime + microseconds
    part += microseconds
    now.wall.milliseconds += part / 1000
    part %= 1000
  }

  mutating func advance() {
    recorder.advance(to: now)
    feed?.advance(to: now, recorder: recorder)
    if let deadline = nextDeadline {
      #expect(deadline > now.boottime, "due although just done")
    }
    check()
  }

  // MARK: Clients

  mutating func show(_ screen: String, ago milliseconds: Int64 = 0, display: String? = nil) throws {
    try recorder.setScreen(
      screen, display: display, changed: now.monotonic + -milliseconds * 1000, at: now)
    check()
  }

  /// Shows seven adverts in turn, for 5 s each.
  mutating func advertise(_ times: Int) throws {
    for number in 0..<times {
      try show("advert \(number % 7)")
      pass(5000)
    }
  }

  mutating func beginSession() -> Int64 {
    defer { check() }
    return (try? recorder.beginSession(tags: ["build": "1.4"], at: now)) ?? -1
  }

  mutating func endSession() {
    recorder.endSession(.client, at: now)
    check()
  }

  mutating func mask(_ masks: Mask...) throws {
    recorder.setMasks(try #require(Masks(masks)), at: now)
    check()
  }

  mutating func swallow(_ span: SwallowedSpan) {
    let hasRoom = recorder.swallow(span, at: now)
    #expect(hasRoom)
    check()
  }

  mutating func pause() {
    recorder.pause(at: now)
    check()
  }

  mutating func resume() {
    recorder.resume(at: now)
    check()
  }

  /// Begins to watch.
  /// - Returns: the touches that are down.
  @discardableResult
  mutating func watch() -> [LiveTouch] {
    let feed = LiveFeed(recorder, mint: feed?.mint ?? TouchIDGenerator(), at: now)
    self.feed = feed
    return feed.state
  }

  mutating func look() -> [LiveFrame] {
    defer { frames.removeAll() }
    return frames
  }

  mutating func stop() {
    for device in fingers.keys.sorted() {
      for slot in (fingers[device] ?? [:]).keys.sorted() { up(device, slot, .cancelled, .removed) }
    }
    recorder.stop(at: now)
    check()
  }

  // MARK: Totals

  mutating func check() {
    feed?.advance(to: now, recorder: recorder)
    frames += feed?.takeFrames() ?? []
    if let totals = recorder.totals, !totals.isBalanced {
      Issue.record("the running session's totals do not add up: \(totals)")
    }
    for session in recorder.sessions where !session.totals.isBalanced {
      Issue.record("the totals do not add up: \(session.totals)")
    }
    if recorder.nextCommit != recorder.ended.map(\.commitsAt).min() {
      Issue.record("the time of the next touch to settle is wrong")
    }
    let tallies = recorder.takeGhosts()
    if !tallies.isEmpty { ghosts.append(tallies) }
    for record in recorder.takeRecords() {
      if !record.totals.isBalanced {
        Issue.record("the totals of a record do not add up: \(record.totals)")
      }
      records.append(record)
      for grid in record.changedGrids {
        grids[record.id, default: [:]][grid.key, default: [:]][grid.layer] = grid.counters
      }
      for view in record.changedViews { views[record.id, default: [:]][view.key] = view }
    }
  }
}
