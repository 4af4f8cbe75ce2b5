import TouchModel

/// Counts contacts as the daemon does.
enum Counting {
  /// How long after its last report a contact ends, in µs.
  private static let ending: Int64 = 1000
  private static let slots = 40

  private struct Event {
    var time: Int64
    var contact: Int
    var report: Report
    var phase: Phase
  }

  /// Returns what the contacts of one session add to the counts of their panel.
  /// - Parameter hour: the hour in UTC when the session begins.
  static func counts(of paths: [Path], on panel: RealPanel, hour: Int = 12) -> PanelCounts {
    let start: Int64 = 10_000_000_000
    guard
      let geometry = DisplayGeometry(
        pixelWidth: 1920, pixelHeight: 1080, scale: 1, rotation: .none, blockSize: 64)
    else { fatalError("a display of Full HD has a geometry") }
    let placement = Placement(
      device: "panel", x: .init(minimum: panel.x.minimum, maximum: panel.x.maximum),
      y: .init(minimum: panel.y.minimum, maximum: panel.y.maximum), display: "glass",
      geometry: geometry, displaySource: .guess)
    func moment(_ time: Int64) -> Moment {
      let timestamp = Timestamp(microseconds: start + time)
      return Moment(
        monotonic: timestamp, boottime: timestamp,
        wall: WallTime(
          milliseconds: 1_790_000_000_000 / 86_400_000 * 86_400_000 + Int64(hour) * 3_600_000
            + time / 1000))
    }
    var rules = SessionRules(mode: .manual)
    rules.layers = []
    var recorder = SessionRecorder(rules: rules, firstSession: 1)
    let device = recorder.addDevice(
      key: "panel", slots: slots, isVirtual: false, placement: placement,
      resolution: (panel.x.resolution, panel.y.resolution), at: moment(0))
    guard (try? recorder.beginSession(at: moment(0))) != nil else { return PanelCounts() }
    play(paths) { updates, time in
      recorder.process(
        updates, device: device, at: Timestamp(microseconds: start + time), now: moment(time))
      recorder.advance(to: moment(time))
    }
    recorder.stop(at: moment((paths.map { $0[$0.count - 1].time }.max() ?? 0) + 10_000_000))
    let counts = recorder.takeRecords().last?.changedCounts ?? []
    return counts.lazy.compactMap { PanelRecord($0) }.first?.counts ?? PanelCounts()
  }

  /// Calls a function with the frames of contacts.
  private static func play(_ paths: [Path], frame: ([TouchUpdate], Int64) -> Void) {
    var events: [Event] = []
    for (contact, path) in paths.enumerated() {
      for (index, report) in path.enumerated() {
        events.append(
          Event(
            time: report.time, contact: contact, report: report,
            phase: index == 0 ? .began : .moved))
      }
      if let last = path.last {
        events.append(
          Event(time: last.time + ending, contact: contact, report: last, phase: .ended))
      }
    }
    events.sort { ($0.time, $0.contact) < ($1.time, $1.contact) }
    var slotOf: [Int: Int] = [:]
    var free = Set(0..<slots)
    for event in events {
      if event.phase == .began {
        guard let slot = free.min() else { continue }
        free.remove(slot)
        slotOf[event.contact] = slot
      }
      guard let slot = slotOf[event.contact] else { continue }
      if event.phase == .ended {
        free.insert(slot)
        slotOf[event.contact] = nil
      }
      frame(
        [
          TouchUpdate(
            touch: TouchID(UInt64(event.contact + 1)), phase: event.phase, slot: slot,
            trackingID: 1, x: Int32(event.report.x.rounded()), y: Int32(event.report.y.rounded()))
        ], event.time)
    }
  }
}
