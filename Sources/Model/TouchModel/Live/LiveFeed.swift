/// Turns the frames of all devices into the live stream, which contains only the data that watching
/// clients may see.
///
/// The daemon creates it when the first client begins to watch. It reads no clock. After the
/// recorder has processed a frame, the caller passes the frame and the time, asks for the next
/// deadline, and takes the live frames to be sent. The feed learns about masks, names, pauses and
/// placements from the recorder.
public struct LiveFeed: Sendable {
  /// The maximum number of updates that wait for late names. Ten fingers on two panels at 240 Hz
  /// cause fewer in 5 s, the maximum of `late_names`.
  static let queueLimit = 32_768

  private struct Frame: Sendable {
    var time: Timestamp
    var device: SessionRecorder.DeviceIndex
    var key: String
    var isVirtual: Bool
    var placement: Placement
    var updates: [TouchUpdate]
  }

  /// Numbers the touches in the order in which they are first shown. The next feed continues these
  /// numbers: pass this value to its `init`.
  public private(set) var mint: TouchIDGenerator
  /// The touches that are down, as of the last frame that was released. To remove a touch, create a
  /// new array: removing it in place would leave its position in memory (docs/privacy.md).
  private var touches: [WatchedTouch] = []
  /// Frames that a late name may still mask, oldest first.
  private var queue: [Frame] = []
  private var queuedUpdates = 0
  private var released: [LiveFrame] = []
  private var echoes: EchoFilter
  private var masks: Masks
  private var lateNames: Int64
  /// The recorder's `revision` and `pauses` at the last call.
  private var revision: Int
  private var pauses: Int
  /// `CLOCK_BOOTTIME` minus `CLOCK_MONOTONIC`, in µs, at the last call.
  private var sleep: Int64

  /// Creates a feed. Touches that are already down are included, except masked ones. If a late name
  /// may still mask a touch, the touch is shown only once it moves.
  /// - Parameter mint: creates identities that no earlier feed has used.
  public init(_ recorder: borrowing SessionRecorder, mint: TouchIDGenerator, at moment: Moment) {
    self.mint = mint
    echoes = recorder.echoes
    masks = recorder.masks
    lateNames = recorder.rules.lateNames
    revision = recorder.revision
    pauses = recorder.pauses
    sleep = moment.boottime - moment.monotonic
    for device in recorder.devices {
      for case .some(let down) in device.live where !recorder.isMasked(down) {
        let screen = recorder.screen(of: down)
        var touch = WatchedTouch(
          down, device: device.key, screen: screen ?? ScreenTimeline.initialName)
        if masks.isEmpty || moment.monotonic - touch.began > lateNames {
          touch.shownAs = self.mint.mint()
        }
        touches.append(touch)
      }
    }
  }

  /// The touches that are down, as the frames so far have shown them: the first message for a
  /// client that begins to watch.
  public var state: [LiveTouch] {
    touches.compactMap { $0.live(.stationary, previous: $0.point) }
  }

  /// Processes one frame of one device.
  /// - Parameter time: the kernel's time of the frame.
  public mutating func process(
    _ updates: [TouchUpdate], device: SessionRecorder.DeviceIndex, at time: Timestamp,
    now moment: Moment, recorder: borrowing SessionRecorder
  ) {
    follow(recorder, at: moment)
    guard !recorder.isPaused, !masks.coverEverything else { return }
    let source = recorder.devices[device]
    let frame = Frame(
      time: time, device: device, key: source.key, isVirtual: source.isVirtual,
      placement: source.placement, updates: updates)
    if masks.isEmpty { return release(frame, recorder) }
    // Devices are read one after the other, so frames do not arrive in the order of their times.
    let place = queue.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
    queue.insert(frame, at: place)
    queuedUpdates += updates.count
    // Discarding the queued frames loses the paths of their touches, so it is unknown whether these
    // touches entered a mask: cancel them as well.
    if queuedUpdates > Self.queueLimit { cutOff(.lost, at: moment) }
  }

  /// Releases the frames that late names can no longer mask, and discards expired touch-downs.
  public mutating func advance(to moment: Moment, recorder: borrowing SessionRecorder) {
    follow(recorder, at: moment)
    let due = queue.prefix { moment.monotonic - $0.time > lateNames }
    if !due.isEmpty {
      // Create a new array, for the reason given at `touches`.
      queue = Array(queue[due.endIndex...])
      for frame in due {
        queuedUpdates -= frame.updates.count
        release(frame, recorder)
      }
    }
    echoes.advance(to: moment.boottime)
  }

  /// The time of the next `advance`, on `CLOCK_BOOTTIME`; nil if it is not needed before the next
  /// frame.
  public var nextDeadline: Timestamp? {
    let release = queue.first.map { $0.time + lateNames + 1 + sleep }
    return [release, echoes.nextDeadline].compactMap(\.self).min()
  }

  /// Whether frames wait to be sent.
  public var hasFrames: Bool { !released.isEmpty }

  /// Returns and removes the frames to be sent, oldest first.
  public mutating func takeFrames() -> [LiveFrame] {
    defer { released.removeAll(keepingCapacity: true) }
    return released
  }

  // MARK: Changes in the recorder

  private mutating func follow(_ recorder: borrowing SessionRecorder, at moment: Moment) {
    sleep = moment.boottime - moment.monotonic
    guard recorder.revision != revision else { return }
    revision = recorder.revision
    echoes.isNeeded = recorder.echoes.isNeeded
    lateNames = recorder.rules.lateNames
    if recorder.pauses != pauses {
      pauses = recorder.pauses
      cutOff(.paused, at: moment)
    }
    if recorder.masks != masks {
      // If a mask was removed, the touches that it masked must stay hidden. Queued frames may still
      // contain them, so discard the queue.
      if !recorder.masks.contain(masks) { cutOff(.masked, at: moment) }
      for index in touches.indices {
        let candidates = recorder.masks.candidates(on: touches[index].placement.display)
        touches[index].path.adopt(candidates, replacing: masks)
      }
      masks = recorder.masks
    }
    for index in touches.indices {
      let touch = touches[index]
      let screen = recorder.screen(of: touch.placement.display, at: touch.began)
      touches[index].screen = screen ?? touch.screen
    }
    let masked = touches.filter { $0.isMasked(by: masks) }
    touches = touches.filter { !$0.isMasked(by: masks) }
    cancel(masked, .masked, at: moment)
    if masks.isEmpty {
      for frame in queue { release(frame, recorder) }
      queue.removeAll()
      queuedUpdates = 0
    }
  }

  /// Discards the waiting frames, and cancels the touches that are down.
  private mutating func cutOff(_ reason: Cancellation, at moment: Moment) {
    queue.removeAll()
    queuedUpdates = 0
    let former = touches
    touches.removeAll()
    cancel(former, reason, at: moment)
  }

  private mutating func cancel(
    _ touches: [WatchedTouch], _ reason: Cancellation, at moment: Moment
  ) {
    let shown = touches.compactMap { $0.live(.cancelled, reason, previous: $0.point) }
    if !shown.isEmpty { released.append(LiveFrame(time: moment.monotonic, touches: shown)) }
  }

  // MARK: Frames

  private mutating func release(_ frame: Frame, _ recorder: borrowing SessionRecorder) {
    var shown: [LiveTouch] = []
    for update in frame.updates {
      if update.phase == .began {
        begin(update, frame, recorder, &shown)
      } else if let index = touches.firstIndex(where: { $0.touch == update.touch }) {
        if let touch = follow(update, index) { shown.append(touch) }
      }
    }
    guard shown.contains(where: { $0.phase != .stationary }) else { return }
    released.append(LiveFrame(time: frame.time, touches: shown))
  }

  private mutating func begin(
    _ update: TouchUpdate, _ frame: Frame, _ recorder: borrowing SessionRecorder,
    _ shown: inout [LiveTouch]
  ) {
    let touchDown = EchoFilter.TouchDown(
      touch: update.touch, device: frame.device, slot: update.slot, isVirtual: frame.isVirtual,
      time: frame.time, expires: frame.time + sleep + lateNames + EchoFilter.retention)
    switch echoes.judge(touchDown) {
    case .original: break
    case .echo: return
    case .originalOf(let echo):
      if let index = touches.firstIndex(where: { $0.touch == echo.touch }) {
        let touch = remove(index)
        if let taken = touch.live(.cancelled, .lost, previous: touch.point) { shown.append(taken) }
      }
    }
    let screen = recorder.screen(of: frame.placement.display, at: frame.time)
    // If the screen at that time is no longer known, it may have had a mask.
    if screen == nil, !masks.isEmpty { return }
    var touch = WatchedTouch(
      update, device: frame.key, placement: frame.placement, at: frame.time,
      screen: screen ?? ScreenTimeline.initialName, masks: masks)
    if touch.isMasked(by: masks) { return }
    touch.shownAs = mint.mint()
    touches.append(touch)
    if let begun = touch.live(.began) { shown.append(begun) }
  }

  /// - Returns: the update to be shown; nil if the touch is not shown yet.
  private mutating func follow(_ update: TouchUpdate, _ index: Int) -> LiveTouch? {
    let before = touches[index]
    if update.phase != .stationary { touches[index].move(to: update) }
    if touches[index].isMasked(by: masks) {
      remove(index)
      return before.live(.cancelled, .masked, previous: before.point)
    }
    // Assign an identity only once the touch moves. A stationary touch alone may cause no frame,
    // and the numbers in the stream would have a gap.
    if update.phase == .moved, before.shownAs == nil { touches[index].shownAs = mint.mint() }
    let touch = touches[index]
    if update.phase == .ended || update.phase == .cancelled { remove(index) }
    return touch.live(update.phase, update.cancellation, previous: before.point)
  }

  @discardableResult
  private mutating func remove(_ index: Int) -> WatchedTouch {
    let touch = touches[index]
    touches = touches.filter { $0.touch != touch.touch }
    return touch
  }
}
