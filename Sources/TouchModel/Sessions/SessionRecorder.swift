/// Follows touches from landing to lift, gives each to the session and the screen that it belongs to,
/// and opens and closes sessions. It reads no clock and does no I/O: whoever runs it brings touches and
/// the time, asks when to come again, and takes away what is to be stored.
public struct SessionRecorder: Sendable {
  /// Number of a device, given by `addDevice`.
  public typealias DeviceIndex = Int

  /// What became of a device's touches, sessions aside.
  public struct DeviceTally: Hashable, Sendable {
    public var touches: UInt64 = 0
    public var drops: UInt64 = 0
    public var ghosts: UInt64 = 0
    /// Touches of a virtual device that repeat those of a real panel.
    public var echoes: UInt64 = 0
    /// Touches that began while no session could take them, or while recording was paused.
    public var unrecorded: UInt64 = 0
  }

  /// A touch that is down.
  struct DownTouch: Sendable {
    var trace: TouchTrace
    /// The session that it counts for; nil for a suspected ghost that opened none.
    var session: Int64?
    /// Began while no session could take it: it is followed, but never counted.
    var isUnrecorded: Bool
    var isPreexisting: Bool
    /// In beat with earlier ghosts: it must move or last before it is taken for a finger.
    var isSuspect: Bool
    /// Masked by masks that no longer hold.
    var wasMasked = false
    /// The screen that was showing when it began, once the display's timeline has forgotten it.
    var screen: String?

    /// It has moved, where the update is one of this touch.
    /// - Returns: whether it is a suspect that has proven to be a finger.
    mutating func extend(_ update: TouchUpdate, to time: Timestamp) -> Bool {
      guard trace.touch == update.touch else { return false }
      trace.extend(to: time, rawX: update.x, rawY: update.y)
      return isSuspect && !trace.isStill
    }
  }

  /// A touch that is over, until no name of a screen can arrive that concerns it.
  struct EndedTouch: Sendable {
    var live: DownTouch
    var device: DeviceIndex
    /// When it was lifted.
    var ended: Moment.Instant
    var how: Ending
    /// On `CLOCK_BOOTTIME`: after a suspend no name arrives that is not late.
    var settles: Timestamp
    var isCancelled: Bool { how == .cancelled }
  }

  enum Ending: Sendable {
    case lifted, cancelled, palm
  }

  struct Device: Sendable {
    var key: String
    var placement: Placement
    /// The masks that touches on its display may go into.
    var candidates: [Masks.Candidate]
    /// Made by a program: it may repeat the touches of a real panel.
    var isVirtual: Bool
    var isPresent = true
    /// By slot.
    var live: [DownTouch?]
    var ghosts = GhostDetector()
    var tally = DeviceTally()
  }

  public internal(set) var rules: SessionRules
  /// What is masked; to be set before anything is shown, and later by `setMasks`.
  public var masks: Masks {
    get { maskHistory.masks }
    set { replaceMasks(with: newValue, at: nil) }
  }
  var maskHistory = MaskHistory()
  /// Touches may have passed through here of which nothing may be kept: there have been masks or pauses.
  public internal(set) var hasHadSecrets = false
  public internal(set) var isPaused = false
  /// The last landing that is known not to be masked: with masks it becomes known when the touch is settled.
  public internal(set) var lastLanding: Moment?

  /// How long an ended session waits for fingers that are still down, in microseconds: 5 s for their lift,
  /// and then until they are settled.
  var drainLimit: Int64 { 5_000_000 + max(rules.lateNames, EchoFilter.window) }

  var devices: [Device] = []
  typealias Display = (geometry: DisplayGeometry, timeline: ScreenTimeline)
  var displays: [String: Display] = [:]
  /// The running session last; before it those that wait for their last fingers.
  var sessions: [OpenSession] = []
  /// What the app last said of all displays; a display that comes later shows that too.
  var screens = ScreenTimeline()
  /// Timelines have forgotten what was shown before: a session that begins earlier adds up what was shown from here.
  var shownSince = Timestamp(microseconds: .min)
  /// A session that has begun to count touches on `otherScreen` for want of memory, until `takeOverflow` reports it.
  var overflown: Int64?
  var nextSession: Int64
  var ended: [EndedTouch] = []
  /// When the first of them settles: most landings find that none has yet.
  var nextSettling: Timestamp?
  var echoes = EchoFilter()
  var records: [SessionRecord] = []
  var ghosts = GhostLedger()
  /// Tallies of devices whose numbers were given to others.
  var formerTally = DeviceTally()
  /// How often recording was paused.
  var pauses = 0
  /// Rises whenever masks, names, rules, placements or pauses change.
  public internal(set) var revision = 0

  /// - Parameter firstSession: number of the first session, above all that the store knows.
  public init(rules: SessionRules, firstSession: Int64) {
    self.rules = rules
    nextSession = firstSession
  }

  // MARK: Devices

  /// - Parameter slots: the most slot numbers that its touches have.
  public mutating func addDevice(
    key: String, slots: Int, isVirtual: Bool, placement: Placement, at moment: Moment
  ) -> DeviceIndex {
    let device = Device(
      key: key, placement: placement, candidates: masks.candidates(on: placement.display),
      isVirtual: isVirtual, live: Array(repeating: nil, count: slots))
    // What earlier displays showed is added up before there is another.
    addShown(until: moment.monotonic)
    lay(placement)
    revision += 1
    let free = devices.indices.first { index in
      !devices[index].isPresent && !ended.contains { $0.device == index }
    }
    if let free {
      formerTally.add(devices[free].tally)
      devices[free] = device
    } else {
      devices.append(device)
    }
    lookForTwins()
    return free ?? devices.count - 1
  }

  /// - Precondition: the device's touches have been cancelled.
  public mutating func removeDevice(_ index: DeviceIndex, at moment: Moment) {
    devices[index].isPresent = false
    revision += 1
    echoes.forget(index)
    lookForTwins()
    forgetDisplays(at: moment)
  }

  private mutating func lookForTwins() {
    let present = devices.lazy.filter(\.isPresent)
    echoes.isNeeded = present.contains { $0.isVirtual } && present.contains { !$0.isVirtual }
  }

  /// Forgets displays that no device and no unsettled touch lies on.
  mutating func forgetDisplays(at moment: Moment) {
    for name in Array(displays.keys) {
      let isInUse =
        devices.contains { $0.isPresent && $0.placement.display == name }
        || devices.contains { $0.live.contains { $0?.trace.placement.display == name } }
        || ended.contains { $0.live.trace.placement.display == name }
      guard !isInUse else { continue }
      addShown(until: moment.monotonic)
      displays[name] = nil
    }
  }

  public func tally(of device: DeviceIndex) -> DeviceTally { devices[device].tally }

  /// The kernel dropped events of a device.
  public mutating func noteDrop(_ device: DeviceIndex, at moment: Moment) {
    devices[device].tally.drops += 1
    updateCurrent(at: moment) { $0.totals.drops += 1 }
  }

  // MARK: For the store

  /// Hands over what is to be stored, oldest first.
  public mutating func takeRecords() -> [SessionRecord] {
    guard !records.isEmpty else { return [] }
    defer { records.removeAll() }
    return records
  }

  /// Hands over the suspected ghosts that belong to no session: at most once an hour, at the end of a
  /// session and when everything stops.
  public mutating func takeGhosts() -> [GhostTally] { ghosts.take() }

  /// Both at once.
  /// - Returns: nil where there is none of them, as with nearly every frame.
  public mutating func takeOutput() -> (records: [SessionRecord], ghosts: [GhostTally])? {
    records.isEmpty && ghosts.isEmpty ? nil : (takeRecords(), takeGhosts())
  }

  /// `advance` and `takeOutput` in one.
  public mutating func takeOutput(
    by moment: Moment
  ) -> (records: [SessionRecord], ghosts: [GhostTally])? {
    advance(to: moment)
    return takeOutput()
  }

  // MARK: Helpers

  /// - Parameter isNews: whether it is a reason to write the session.
  mutating func update(
    _ id: Int64?, at moment: Moment, isNews: Bool = true, _ body: (inout OpenSession) -> Void
  ) {
    guard let id, let index = sessions.lastIndex(where: { $0.id == id }) else { return }
    body(&sessions[index])
    if isNews { sessions[index].touch(at: moment) }
  }

  mutating func updateCurrent(at moment: Moment, _ body: (inout OpenSession) -> Void) {
    update(current, at: moment, body)
  }

  /// Adds up what was shown up to now, before the displays change.
  mutating func addShown(until time: Timestamp) {
    for index in sessions.indices {
      sessions[index].addShown(until: time, displays: displays, masks: maskHistory)
    }
  }
}
