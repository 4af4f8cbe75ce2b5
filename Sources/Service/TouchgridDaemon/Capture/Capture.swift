internal import Storage
internal import Text
internal import TouchInput
internal import TouchModel

/// Passes frames of touches to the recorder and the live feed, and finished records to the store.
/// Used for real devices and for recordings. It is synchronous, runs on one thread and reads no
/// clock.
final class Capture {
  var recorder: SessionRecorder
  /// Numbers the touches of all devices.
  var mint: TouchIDGenerator
  /// Numbers the touches shown to watching clients. While there is a feed, the feed's own generator
  /// is used instead, and copied back when the feed ends. These numbers are unrelated to those of
  /// `mint`.
  var liveMint: TouchIDGenerator
  /// Assigns panels to displays. After a change, call `assignDisplays` to apply it to the attached
  /// panels.
  var assignment: DisplayAssignment
  /// Returns the connected displays. Called once for each event that may move panels, because a
  /// monitor may be switched on, or its driver loaded, after the daemon has started.
  let readConnectors: @Sendable () -> [DRMConnector]
  private(set) var panels: [SessionRecorder.DeviceIndex: PanelIdentity] = [:]
  /// The displays that each panel may lie on instead of its assigned display.
  var alternatives: [SessionRecorder.DeviceIndex: PlacementUncertainty.Alternatives] = [:]
  /// The masks of the configuration and of clients.
  var requestedMasks: [Mask] = []
  /// Whether every screen is masked, because the machine is not set up yet.
  var masksEverything = false
  /// Whether every screen is masked, because there are more masks than the recorder can take.
  var hasTooManyMasks = false
  /// The whole-screen masks that apply in addition to `requestedMasks` while the display of a
  /// panel, or its size, is uncertain.
  var widenedMasks: [Mask] = []
  /// The time of the next `lookAgain`, on `CLOCK_BOOTTIME`, and the delay before it, in µs; nil if
  /// none is scheduled.
  var nextLook: (due: Timestamp, after: Int64)?
  /// A panel's ranges. They concern the same panel when it is plugged in again.
  struct Ranges: Hashable {
    var panel: String
    var x: Placement.Range
    var y: Placement.Range
  }
  /// The declared ranges that a panel has exceeded. They are never removed.
  var wrongRanges: Set<Ranges> = []
  /// The number of clamped touches that were examined for wrong ranges.
  var examinedTouches: UInt64 = 0
  /// When a panel is read next that is read in steps, on `CLOCK_BOOTTIME`, and the length of its
  /// steps, in µs; nil if none is. What touches make due waits for a step: the time when the daemon
  /// does it would tell when they began.
  var steps: (next: Timestamp, length: Int64)?
  /// The source of live frames; nil while no client watches.
  var feed: LiveFeed?
  /// The last session for which a lack of counts of controls was logged.
  private var lackingControls: Int64?
  private let storage: any RecordSink
  let log: Log

  /// Creates a capture that has no devices yet.
  /// - Parameters:
  ///   - connectors: returns the connected displays.
  ///   - firstSession: the number of the first session; it must be above every number in the store.
  ///   - mint: creates touch identities that no earlier run has used.
  init(
    rules: SessionRules, assignment: DisplayAssignment,
    connectors: @escaping @Sendable () -> [DRMConnector], firstSession: Int64,
    mint: TouchIDGenerator, storage: any RecordSink, log: Log
  ) {
    recorder = SessionRecorder(rules: rules, firstSession: firstSession)
    self.mint = mint
    liveMint = mint
    self.assignment = assignment
    readConnectors = connectors
    self.storage = storage
    self.log = log
  }

  /// Attaches a panel.
  /// - Returns: nil if the panel cannot be placed on any display.
  func attach(
    _ panel: PanelIdentity, slots: Int, isVirtual: Bool, at moment: Moment
  ) -> (device: SessionRecorder.DeviceIndex, placement: Placement)? {
    let connectors = readConnectors()
    guard
      let result = assignment.place(
        panel, connectors: connectors, beside: panels.keys.map(recorder.placement))
    else { return nil }
    for warning in result.warnings {
      log.warning(.device, "\(panel.name.printable()) (\(panel.key)): \(warning)")
    }
    let axes = panel.contactProtocol
    let device = recorder.addDevice(
      key: panel.key, slots: slots, isVirtual: isVirtual, placement: result.placement,
      resolution: (axes.x.resolution, axes.y.resolution), at: moment)
    panels[device] = panel
    alternatives[device] = result.alternatives
    applyMasks(at: moment)
    measure(connectors)
    expectModes(of: connectors, at: moment)
    return (device, result.placement)
  }

  func detach(_ device: SessionRecorder.DeviceIndex, at moment: Moment) {
    recorder.removeDevice(device, at: moment)
    panels[device] = nil
    alternatives[device] = nil
    applyMasks(at: moment)
  }

  func tally(of device: SessionRecorder.DeviceIndex) -> SessionRecorder.DeviceTally {
    recorder.tally(of: device)
  }

  /// Processes one frame of a device.
  func process(
    _ updates: [TouchUpdate], of device: SessionRecorder.DeviceIndex, at time: Timestamp,
    now moment: Moment
  ) {
    Self.process(updates, of: device, at: time, now: moment, &recorder, &feed)
  }

  static func process(
    _ updates: [TouchUpdate], of device: SessionRecorder.DeviceIndex, at time: Timestamp,
    now moment: Moment, _ recorder: inout SessionRecorder, _ feed: inout LiveFeed?
  ) {
    recorder.process(updates, device: device, at: time, now: moment)
    feed?.process(updates, device: device, at: time, now: moment, recorder: recorder)
  }

  func recordLoss(_ device: SessionRecorder.DeviceIndex, at moment: Moment) {
    recorder.recordLoss(device, at: moment)
  }

  /// Performs the work that is due, and passes records that are ready to the store.
  func advance(to moment: Moment) {
    if let nextLook, nextLook.due <= moment.boottime { lookAgain(at: moment) }
    if let expiry = assignment.modes.nextExpiry, expiry <= moment.boottime {
      removeExpiredModes(at: moment)
    }
    if let output = recorder.takeOutput(by: moment) {
      handOver(output, at: moment)
    }
    if recorder.clampedTouches != examinedTouches { checkRanges(at: moment) }
  }

  /// The time on `CLOCK_BOOTTIME` when `advance` is next needed.
  var nextDeadline: Timestamp? {
    .first(
      .first(nextLook?.due, assignment.modes.nextExpiry),
      recorder.nextDeadlineInPlace().map(atStep))
  }

  /// The time on `CLOCK_BOOTTIME` when a live frame is due.
  var nextFrameDeadline: Timestamp? { feed?.nextDeadline.map(atStep) }

  /// The first step at a time or after it.
  private func atStep(_ time: Timestamp) -> Timestamp {
    guard let (next, length) = steps else { return time }
    let late = max(0, time - next)
    return next + (late + length - 1) / length * length
  }

  /// Whether the times of touches are secret: recording is paused, or a display shows a screen with
  /// a mask.
  var isSecret: Bool { recorder.showsSecret() }

  /// Ends the session. The caller must have cancelled all touches.
  func stop(at moment: Moment) {
    recorder.stop(at: moment)
    if let output = recorder.takeOutput() { handOver(output, at: moment) }
  }

  private func handOver(
    _ output: (records: [SessionRecord], ghosts: [GhostTally]), at moment: Moment
  ) {
    for record in output.records {
      if record.end != nil { logEnd(of: record) }
      storage.store(record)
    }
    if !output.ghosts.isEmpty { storage.store(output.ghosts, at: moment.wall) }
    // Check this only when there are records. That is soon enough, because every counted touch
    // causes a record within the checkpoint interval.
    if let session = recorder.takeOverflow() { warn(ofOverflowIn: session) }
    if recorder.lacksControls, let session = recorder.current, session != lackingControls {
      lackingControls = session
      log.warning(
        .daemon, kind: "controls",
        "session \(session): some touches count for no control, because the controls of a screen have "
          + "changed more than \(SessionRecorder.controlSetLimit) times, or memory had no room")
    }
  }

  /// Tells the recorder the size of every display: the configured one, or that of the monitor.
  func measure(_ connectors: [DRMConnector]) {
    // A monitor that is only switched off keeps its size.
    var sizes = recorder.panelSizes
    for connector in connectors { sizes[connector.name] = connector.panelSize }
    for display in assignment.configuration.displays {
      if let size = display.panelSize { sizes[display.name] = size }
    }
    recorder.panelSizes = sizes
  }

  private func warn(ofOverflowIn session: Int64) {
    log.warning(
      .daemon, kind: "grids",
      "session \(session): its grids have reached the memory limit (\(GridMemory.limit >> 20) MiB): "
        + "touches on further screens are counted on the screen "
        + "\"\(SessionRecorder.otherScreen)\", or without a position. To use less memory, set a "
        + "larger block_size or fewer layers, or use fewer screen names")
  }

  private func logEnd(of record: SessionRecord) {
    let totals = record.totals
    let counts = [
      counted(totals.begun, "touch", "touches"), "\(totals.counted) counted",
      "\(totals.masked) masked", counted(totals.palms, "palm"),
      counted(totals.ghosts, "suspected ghost"), "\(totals.swallowed) swallowed",
      "\(totals.stillDown) still down", counted(totals.drops, "loss of events", "losses of events"),
    ].joined(separator: ", ")
    let reason = record.end?.rawValue ?? ""
    log.info(.daemon, kind: "session", "session \(record.id) ended (\(reason)): \(counts)")
  }
}

/// Accepts session records and ghost counts for the store. Its methods never wait for a disk.
protocol RecordSink {
  func store(_ record: SessionRecord)
  func store(_ ghosts: [GhostTally], at time: WallTime)
}
