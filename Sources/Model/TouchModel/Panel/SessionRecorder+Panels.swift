/// The health of panels.
extension SessionRecorder {
  /// The hour in UTC when an ended touch of a session began.
  static func hour(of touch: borrowing EndedTouch, in session: borrowing OpenSession) -> Int {
    let began = touch.live.trace.began
    let wall = session.wall(
      of: Moment.Instant(
        monotonic: began, boottime: touch.ended.boottime + (began - touch.ended.monotonic)))
    let hours = wall.milliseconds / 3_600_000 % 24
    return Int(hours < 0 ? hours + 24 : hours)
  }

  /// Looks for another contact close to one that has just begun.
  mutating func findTwin(of trace: borrowing TouchTrace, slot: Int, device: DeviceIndex) {
    guard let session = current else { return }
    guard let twin = devices[device].twin(of: trace, slot: slot) else { return }
    twins.add(
      PanelTwins.Pair(
        older: twin.touch, newer: trace.touch, session: session, key: trace.panel.lines.key,
        middle: twin.middle))
  }

  /// Counts the pairs of a touch that has been committed or discarded.
  mutating func finishTwins(of touch: TouchID, counts: Bool, at moment: Moment) {
    for pair in twins.finish(touch, counts: counts) {
      update(pair.session, at: moment) { $0.panels.add(pair) }
    }
  }
}

extension SessionRecorder.Device {
  typealias Twin = (touch: TouchID, middle: (column: Int, row: Int))

  /// Returns another contact that is close to one, and the lines midway between them.
  fileprivate mutating func twin(of trace: borrowing TouchTrace, slot: Int) -> Twin? {
    for other in live.indices where other != slot {
      if let twin = live[other]?.twinInPlace(of: trace) { return twin }
    }
    return nil
  }
}

extension SessionRecorder.ActiveContact {
  /// Returns the touch and the lines midway to another one, if that is close. It changes nothing. It
  /// is `mutating` because otherwise the caller would copy the whole contact.
  fileprivate mutating func twinInPlace(
    of other: borrowing TouchTrace
  ) -> SessionRecorder.Device.Twin? {
    trace.panel.middle(to: other.panel).map { (trace.touch, $0) }
  }
}

extension SessionRecorder.EndedTouch {
  /// Whether the touch lasted less than `PanelCounts.shortest`. A touch whose beginning or end was
  /// not seen may have lasted longer.
  var isShort: Bool {
    how == .lifted && !live.isPreexisting && live.trace.duration < PanelCounts.shortest
  }
}
