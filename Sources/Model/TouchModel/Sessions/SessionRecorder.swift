/// Follows touches from touch-down to touch-up, assigns each to its session and its screen, and
/// opens and closes sessions. It reads no clock and does no I/O. The caller passes touches and the
/// time, queries the next deadline, and stores the resulting records.
public struct SessionRecorder: Sendable {
  /// The index of a device, as returned by `addDevice`.
  public typealias DeviceIndex = Int

  /// Counts of a device's touches and drops, independent of sessions.
  public struct DeviceTally: Hashable, Sendable {
    public var touches: UInt64 = 0
    public var drops: UInt64 = 0
    public var ghosts: UInt64 = 0
    /// Touches of a virtual device that repeat those of a real panel.
    public var echoes: UInt64 = 0
    /// Touches that began while there was no session for them, or while recording was paused.
    public var unrecorded: UInt64 = 0
    /// The extent of the samples of counted touches that were clamped.
    public internal(set) var clampedExtent: RawExtent?

    mutating func noteClamped(_ extent: RawExtent) {
      if clampedExtent == nil { clampedExtent = extent }
      clampedExtent?.include(extent)
    }
  }

  /// A touch that is down.
  struct ActiveContact: Sendable {
    var trace: TouchTrace
    /// The session of the touch; nil for an unrecorded touch, and for a suspected ghost or a quiet
    /// touch that began while no session was running.
    var session: Int64?
    /// Whether the touch began while there was no session for it. It is followed but never counted.
    var isUnrecorded: Bool
    var isPreexisting: Bool
    /// Whether the touch began at a time of the rhythm of earlier ghosts; see `GhostDetector`. Such
    /// a touch counts as a finger only if it moves or lasts.
    var isSuspect: Bool
    /// What keeps the touch from the app; nil if nothing does. A mask wins over it.
    var swallowing: Swallowing?
    /// Whether the touch is swallowed and is not that of a person who uses the kiosk: it neither
    /// begins a session nor keeps one open. A touch whose mask is known at its touch-down is not
    /// quiet.
    var isQuiet: Bool
    /// Whether the touch counts as activity. A suspected ghost and a quiet touch do not, nor does a
    /// touch outside of masks that the panel recognises as a palm immediately.
    var isActivity: Bool
    /// Whether the touch was masked by masks that no longer apply.
    var wasMasked = false
    /// The earliest `commitsAt` of a counted touch that began and ended while this one was down.
    var actedBeside: Timestamp?
    /// The screen that was shown at the touch-down. It is set only when the display's timeline is
    /// about to forget that moment; nil before.
    var screen: String?

    /// Whether this is a touch. It is `mutating`, although it changes nothing, because otherwise the
    /// caller would copy the whole contact.
    mutating func isInPlace(_ touch: TouchID) -> Bool { trace.touch == touch }

    /// Adds a sample if the update belongs to this touch, unless it is a suspect.
    /// - Returns: whether it was added.
    mutating func extendIfPlain(_ update: TouchUpdate, to time: Timestamp) -> Bool {
      guard trace.touch == update.touch, !isSuspect else { return false }
      trace.extend(to: time, rawX: update.x, rawY: update.y)
      return true
    }

    /// Adds a sample if the update belongs to this touch.
    /// - Returns: whether the touch is a suspected ghost that has just proven to be a finger.
    mutating func extend(_ update: TouchUpdate, to time: Timestamp) -> Bool {
      guard trace.touch == update.touch else { return false }
      trace.extend(to: time, rawX: update.x, rawY: update.y)
      return isSuspect && !trace.isStill
    }
  }

  /// A touch that has ended, kept until neither a late name nor the original of an echo can affect
  /// it.
  struct EndedTouch: Sendable {
    var live: ActiveContact
    var device: DeviceIndex
    /// The time of the touch-up.
    var ended: Moment.Instant
    var how: Ending
    /// The time when the touch is committed, on `CLOCK_BOOTTIME`: a name that arrives after a
    /// suspend is too late.
    var commitsAt: Timestamp
    var isCancelled: Bool { how == .cancelled }
  }

  enum Ending: Sendable {
    case lifted, cancelled, palm
  }

  struct Device: Sendable {
    var key: String
    var placement: Placement {
      get { sharedPlacement.placement }
      set {
        // The lines depend on the axes only. The geometry changes more often.
        let hasSameAxes = newValue.x == placement.x && newValue.y == placement.y
        let lines =
          hasSameAxes
          ? sharedPlacement.lines : PanelLines(device: key, newValue, resolution: resolution)
        sharedPlacement = SharedPlacement(newValue, lines: lines)
      }
    }
    private(set) var sharedPlacement: SharedPlacement
    /// Raw units per mm; 0 if the driver does not know.
    let resolution: (x: Int32, y: Int32)
    /// The masks that touches on its display may enter.
    var candidates: [Masks.Candidate]
    /// Whether a program created the device. It may repeat the touches of a real panel.
    var isVirtual: Bool
    var isPresent = true
    /// The touches that are down, by slot.
    var live: [ActiveContact?]
    var ghosts = GhostDetector()
    var tally = DeviceTally()

    init(
      key: String, placement: Placement, resolution: (x: Int32, y: Int32),
      candidates: [Masks.Candidate], isVirtual: Bool, slots: Int
    ) {
      self.key = key
      self.resolution = resolution
      sharedPlacement = SharedPlacement(
        placement, lines: PanelLines(device: key, placement, resolution: resolution))
      self.candidates = candidates
      self.isVirtual = isVirtual
      live = Array(repeating: nil, count: slots)
    }

    /// Extends touches that move, up to the first update that changes more than its touch. Nearly
    /// all updates are of this kind, so `live` is accessed once for all of them.
    /// - Returns: the index of that update.
    mutating func extend(_ updates: [TouchUpdate], from start: Int, to time: Timestamp) -> Int {
      var live = live.mutableSpan
      var index = start
      while index < updates.count, updates[index].phase == .moved,
        live[updates[index].slot]?.extendIfPlain(updates[index], to: time) == true
      {
        index += 1
      }
      return index
    }
  }

  public internal(set) var rules: SessionRules
  /// The current masks. Set this property only before anything is shown; use `setMasks` afterwards.
  public var masks: Masks {
    get { maskHistory.masks }
    set { replaceMasks(with: newValue, at: nil) }
  }
  var maskHistory = MaskHistory()
  /// The covers, for touches that begin from now on.
  public var covers: [Cover] = [] { didSet { revision += 1 } }
  /// The spans in which clients keep touches from the app.
  var spans: [SwallowedSpan] = []
  /// The controls of screens. Set them with `setControls`.
  var controlLayouts = ControlLayouts()
  /// Touches of controls that wait for responses, and responses that wait for touches.
  var responses = ResponseMatcher()
  /// The kinds of counts. A session counts those that were set when it began.
  public var kinds = CountKinds.all
  /// The displays of known size.
  public var panelSizes: [String: PanelSize] = [:]
  /// The funnels that are counted. A session counts those that were set when it began.
  public var funnels: [Funnel] = []
  /// Whether there have been masks or pauses. Memory may then contain touches that must not be
  /// kept.
  public internal(set) var hasHadMasksOrPauses = false
  public internal(set) var isPaused = false
  /// The last touch-down of a finger that is known not to be masked. If there are masks, that is
  /// known only once the touch is committed.
  public internal(set) var lastTouchDown: Moment?
  /// The last touches of a person, in masks and during pauses too. Suspected ghosts do not count,
  /// nor do palms outside of masks.
  public internal(set) var activity = Activity()

  /// The maximum time for which an ended session waits for fingers that are still down, in µs: 5 s
  /// for their touch-up, and the time until they are committed.
  var drainLimit: Int64 { 5_000_000 + max(rules.lateNames, EchoFilter.window) }

  var devices: [Device] = []
  typealias Display = (geometry: DisplayGeometry, timeline: ScreenTimeline)
  var displays: [String: Display] = [:]
  /// The screens of displays without a touchscreen, if they differ from `screens`; at most
  /// `absentLimit`. A panel may be unplugged for a moment, or be found late.
  var absent: [String: ScreenTimeline] = [:]
  static let absentLimit = 16
  /// The last masked screen, of any display, for which `absent` had no room.
  var surplus: ScreenTimeline?
  /// The number of counted touches with clamped samples.
  public internal(set) var clampedTouches: UInt64 = 0
  /// The running session, if there is one, is last. The others have ended and wait for touches that
  /// are not committed.
  var sessions: [OpenSession] = []
  /// The screens that were named for all displays. A display that is added later shows the current
  /// one.
  var screens = ScreenTimeline()
  /// The time before which timelines have forgotten the screens. For a session that begins earlier,
  /// screens count as shown from this time on.
  var shownSince = Timestamp(microseconds: .min)
  /// A session that has begun to count touches on `otherScreen` because memory had no room for
  /// other grids, until `takeOverflow` reports it.
  var overflown: Int64?
  var nextSession: Int64
  var ended: [EndedTouch] = []
  /// The time when the first touch of `ended` is due. It saves a search, because usually no touch
  /// is due at a touch-down.
  var nextCommit: Timestamp?
  var echoes = EchoFilter()
  var pairs = PanelPairs()
  /// The panels that have been counted.
  var countedPanels: Set<PanelKey> = []
  /// The lines of one of these panels, most likely of that of the next touch.
  var lastCounted: PanelLines?
  var records: [SessionRecord] = []
  var ghosts = GhostCollector()
  /// The sum of the tallies of removed devices whose index was reused.
  var formerTally = DeviceTally()
  /// The number of times that recording was paused.
  var pauses = 0
  /// Increases whenever the masks change.
  public internal(set) var maskRevision: Int64 = 0
  /// Increases whenever a screen is named, forgotten, or shown on a new display.
  var screenRevision: Int64 = 0
  /// Increases whenever masks, names, rules, placements or pauses change.
  public internal(set) var revision = 0

  /// - Parameter firstSession: the number of the first session, above all numbers in the store.
  public init(rules: SessionRules, firstSession: Int64) {
    self.rules = rules
    nextSession = firstSession
  }

  // MARK: Devices

  /// Adds a device, and its display if that is new. The index may be that of a removed device.
  /// - Parameters:
  ///   - slots: the number of slots that its touches may have.
  ///   - resolution: raw units per mm; 0 if the driver does not know.
  public mutating func addDevice(
    key: String, slots: Int, isVirtual: Bool, placement: Placement,
    resolution: (x: Int32, y: Int32) = (0, 0), at moment: Moment
  ) -> DeviceIndex {
    let device = Device(
      key: key, placement: placement, resolution: resolution,
      candidates: masks.candidates(on: placement.display), isVirtual: isVirtual, slots: slots)
    // Add up the time on the known displays before another one is added.
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
    updateEchoFilter()
    return free ?? devices.count - 1
  }

  /// Removes a device.
  /// - Precondition: the device's touches have been cancelled.
  public mutating func removeDevice(_ index: DeviceIndex, at moment: Moment) {
    devices[index].isPresent = false
    revision += 1
    echoes.forget(index)
    updateEchoFilter()
    forgetDisplays(at: moment)
  }

  private mutating func updateEchoFilter() {
    let present = devices.lazy.filter(\.isPresent)
    echoes.isNeeded = present.contains { $0.isVirtual } && present.contains { !$0.isVirtual }
  }

  /// Forgets displays without a device and without an uncommitted touch.
  mutating func forgetDisplays(at moment: Moment) {
    for name in Array(displays.keys) {
      let isInUse =
        devices.contains { $0.isPresent && $0.placement.display == name }
        || devices.contains { $0.live.contains { $0?.trace.placement.display == name } }
        || ended.contains { $0.live.trace.placement.display == name }
      guard !isInUse else { continue }
      addShown(until: moment.monotonic)
      guard let timeline = displays.removeValue(forKey: name)?.timeline else { continue }
      keepAbsent(timeline, of: name)
    }
  }

  public func tally(of device: DeviceIndex) -> DeviceTally { devices[device].tally }

  /// Records that the kernel dropped events of a device.
  public mutating func recordLoss(_ device: DeviceIndex, at moment: Moment) {
    devices[device].tally.drops += 1
    updateCurrent(at: moment) { $0.totals.drops += 1 }
  }

  // MARK: For the store

  /// Returns and removes the records to be stored, oldest first.
  public mutating func takeRecords() -> [SessionRecord] {
    guard !records.isEmpty else { return [] }
    defer { records.removeAll() }
    return records
  }

  /// Returns and removes the suspected ghosts that belong to no session. They are released an hour
  /// after the first, at the end of a session, before sessions are forgotten, and when recording
  /// stops.
  public mutating func takeGhosts() -> [GhostTally] { ghosts.takeReleased() }

  /// Returns and removes the records and the ghosts.
  /// - Returns: nil if there are none, as after nearly every frame.
  public mutating func takeOutput() -> (records: [SessionRecord], ghosts: [GhostTally])? {
    records.isEmpty && ghosts.isEmpty ? nil : (takeRecords(), takeGhosts())
  }

  /// Combines `advance` and `takeOutput`.
  public mutating func takeOutput(
    by moment: Moment
  ) -> (records: [SessionRecord], ghosts: [GhostTally])? {
    advance(to: moment)
    return takeOutput()
  }

  // MARK: Helpers

  /// Changes a session that is in memory; does nothing for any other.
  /// - Parameter isNews: whether the change requires writing the session.
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

  /// Adds up the time for which screens were shown, up to a time. Call it before the displays
  /// change.
  mutating func addShown(until time: Timestamp) {
    for index in sessions.indices {
      sessions[index].addShown(until: time, displays: displays, masks: maskHistory)
    }
  }
}
