/// The health of panels.
extension SessionRecorder {
  /// Returns whether the panel with these lines is counted. Only the first `PanelTally.limit`
  /// panels of this recorder are: a device that keeps changing its axes is a new panel each time,
  /// and must not fill the store.
  mutating func counts(_ lines: PanelLines) -> Bool {
    guard rules.countsPanels else { return false }
    if lines === lastCounted { return true }
    guard countedPanels.contains(lines.key) || countedPanels.count < PanelTally.limit else {
      return false
    }
    countedPanels.insert(lines.key)
    lastCounted = lines
    return true
  }

  /// The hour in UTC of the touch-down of an ended touch of a session.
  static func hour(of touch: borrowing EndedTouch, in session: borrowing OpenSession) -> Int {
    let began = touch.live.trace.began
    let wall = session.wall(
      of: Moment.Instant(
        monotonic: began, boottime: touch.ended.boottime + (began - touch.ended.monotonic)))
    let hours = wall.milliseconds / 3_600_000 % 24
    return Int(hours < 0 ? hours + 24 : hours)
  }

  /// Finds other contacts close to one that has just begun. Records all of them, because any of
  /// them may turn out to be masked.
  mutating func findPairs(of trace: borrowing TouchTrace, slot: Int, device: DeviceIndex) {
    guard rules.countsPanels, let session = current else { return }
    let (touch, key) = (trace.touch, trace.panel.lines.key)
    pairs.add(
      devices[device].pairs(of: trace, slot: slot).map { pair in
        PanelPairs.Pair(
          older: pair.touch, newer: touch, session: session, key: key, middle: pair.middle)
      })
  }

  /// Counts the pairs of a touch that has been committed or discarded.
  mutating func finishPairs(of touch: TouchID, counts: Bool, at moment: Moment) {
    for pair in pairs.finish(touch, counts: counts) {
      update(pair.session, at: moment) { $0.note(pair) }
    }
  }
}

extension SessionRecorder.Device {
  typealias Neighbour = (touch: TouchID, middle: (column: Int, row: Int))

  /// Returns the other contacts that are close to one, and the lines midway between them.
  fileprivate mutating func pairs(of trace: borrowing TouchTrace, slot: Int) -> [Neighbour] {
    var pairs: [Neighbour] = []
    for other in live.indices where other != slot {
      if let pair = live[other]?.pairInPlace(of: trace) { pairs.append(pair) }
    }
    return pairs
  }
}

extension SessionRecorder.ActiveContact {
  /// Returns a touch and the lines midway to another one, if that is close. It is `mutating`,
  /// although it changes nothing, because otherwise the caller would copy the whole contact.
  fileprivate mutating func pairInPlace(
    of other: borrowing TouchTrace
  ) -> SessionRecorder.Device.Neighbour? {
    trace.panel.middle(to: other.panel).map { (trace.touch, $0) }
  }
}

extension SessionRecorder.EndedTouch {
  /// Whether the touch lasted less than `PanelCounts.shortest`. A touch whose beginning or end was
  /// not seen may have lasted longer.
  var isShort: Bool { isWhole && live.trace.duration < PanelCounts.shortest }

  /// Whether both its beginning and its end were seen.
  var isWhole: Bool { how == .lifted && !live.isPreexisting }
}
