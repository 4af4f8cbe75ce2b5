internal import Storage
internal import TouchModel

/// The way from frames of touches to the store, the same for real devices and for recordings. Synchronous,
/// on one thread; it reads no clock.
final class Capture {
  var recorder: SessionRecorder
  var mint: TouchIDMint
  /// Numbers what is shown to those who watch; the feed has it meanwhile. These numbers and the recorder's never
  /// meet.
  var liveMint: TouchIDMint
  /// How panels lie on displays; `layOut` applies a change to those that are attached.
  var assignment: DisplayAssignment
  private(set) var panels: [SessionRecorder.DeviceIndex: PanelIdentity] = [:]
  /// Displays that the panels may lie on as well.
  var alternatives: [SessionRecorder.DeviceIndex: PlacementUncertainty.Alternatives] = [:]
  /// Masks of the configuration and of clients.
  var givenMasks: [Mask] = []
  /// Masks of whole screens that hold beside these while it is not certain where panels lie.
  var widenedMasks: [Mask] = []
  /// When the displays are looked at again, on `CLOCK_BOOTTIME`, and after how many microseconds that is: see
  /// `expectModes`.
  var nextLook: (due: Timestamp, after: Int64)?
  /// While somebody watches.
  var feed: LiveFeed?
  private let storage: any RecordSink
  let log: Log

  /// - Parameters:
  ///   - firstSession: above every number that the store knows.
  ///   - mint: gives identities that no earlier run has given.
  init(
    rules: SessionRules, assignment: DisplayAssignment, firstSession: Int64, mint: TouchIDMint,
    storage: any RecordSink, log: Log
  ) {
    recorder = SessionRecorder(rules: rules, firstSession: firstSession)
    self.mint = mint
    liveMint = mint
    self.assignment = assignment
    self.storage = storage
    self.log = log
  }

  /// - Returns: nil where the panel cannot be laid on any display.
  func attach(
    _ panel: PanelIdentity, slots: Int, isVirtual: Bool, at moment: Moment
  ) -> (device: SessionRecorder.DeviceIndex, placement: Placement)? {
    guard let result = assignment.place(panel, beside: panels.keys.map(recorder.placement))
    else { return nil }
    for warning in result.warnings {
      log.warning(.device, "\(panel.name.printable()) (\(panel.key)): \(warning)")
    }
    let device = recorder.addDevice(
      key: panel.key, slots: slots, isVirtual: isVirtual, placement: result.placement, at: moment)
    panels[device] = panel
    alternatives[device] = result.alternatives
    holdMasks(at: moment)
    expectModes(at: moment)
    return (device, result.placement)
  }

  func detach(_ device: SessionRecorder.DeviceIndex, at moment: Moment) {
    recorder.removeDevice(device, at: moment)
    panels[device] = nil
    alternatives[device] = nil
    holdMasks(at: moment)
  }

  func tally(of device: SessionRecorder.DeviceIndex) -> SessionRecorder.DeviceTally {
    recorder.tally(of: device)
  }

  /// Takes one frame.
  func take(
    _ updates: [TouchUpdate], of device: SessionRecorder.DeviceIndex, at time: Timestamp,
    now moment: Moment
  ) {
    recorder.process(updates, device: device, at: time, now: moment)
    feed?.process(updates, device: device, at: time, now: moment, recorder: recorder)
  }

  func noteDrop(_ device: SessionRecorder.DeviceIndex, at moment: Moment) {
    recorder.noteDrop(device, at: moment)
  }

  /// Does what is due and hands the store what is ready for it.
  func advance(to moment: Moment) {
    if let nextLook, nextLook.due <= moment.boottime { lookAgain(at: moment) }
    if let output = recorder.takeOutput(by: moment) { handOver(output, at: moment) }
  }

  /// When `advance` has something to do, on `CLOCK_BOOTTIME`.
  var nextDeadline: Timestamp? {
    .first(nextLook?.due, recorder.nextDeadlineInPlace())
  }

  /// Ends the session. Touches must have been cancelled.
  func stop(at moment: Moment) {
    recorder.stop(at: moment)
    if let output = recorder.takeOutput() { handOver(output, at: moment) }
  }

  private func handOver(
    _ output: (records: [SessionRecord], ghosts: [GhostTally]), at moment: Moment
  ) {
    for record in output.records {
      if record.end != nil { tell(of: record) }
      storage.store(record)
    }
    if !output.ghosts.isEmpty { storage.store(output.ghosts, at: moment.wall) }
    // A touch that was counted brings a record within `checkpoint`.
    if let session = recorder.takeOverflow() { warn(ofOverflowIn: session) }
  }

  private func warn(ofOverflowIn session: Int64) {
    log.warning(
      .daemon, kind: "grids",
      "the grids of session \(session) have no more room in memory (\(GridMemory.limit >> 20) MiB): touches on further "
        + "screens are counted on the screen \"\(SessionRecorder.otherScreen)\"; larger blocks (block_size), fewer "
        + "layers or fewer names of screens take less")
  }

  private func tell(of record: SessionRecord) {
    let totals = record.totals
    log.info(
      .daemon, kind: "session",
      "session \(record.id) over (\(record.end?.rawValue ?? "")): \(totals.begun) touches, "
        + "\(totals.counted) counted, \(totals.masked) masked, \(totals.palms) palms, "
        + "\(totals.ghosts) suspected ghosts, \(totals.stillDown) still down, "
        + "\(totals.drops) drops")
  }
}

/// Takes records for the store without ever waiting for a disk.
protocol RecordSink {
  func store(_ record: SessionRecord)
  func store(_ ghosts: [GhostTally], at time: WallTime)
}
