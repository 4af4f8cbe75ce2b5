/// Queries for the current state.
extension SessionRecorder {
  /// The current state of the running session; nil if no session is running. Touches that wait for
  /// a late name or for their touch-up are among `stillDown`.
  /// - Parameter withGrids: whether to include all views and grids, even those that are stored.
  public func runningSession(withGrids: Bool = false, at moment: Moment) -> SessionRecord? {
    guard current != nil, var session = sessions.last else { return nil }
    let down = session.totals.stillDown > 0
    let sign = down ? moment.instant : session.lastSign
    if withGrids {
      session.addShown(until: moment.monotonic, displays: displays, masks: maskHistory)
    }
    return session.record(
      lastActive: session.wall(of: sign), end: nil, totals: books(of: session),
      withGrids ? .all : .head)
  }

  /// The current screen.
  /// - Parameter display: nil for the only display, or for the screen that was last named for all
  ///   displays.
  /// - Returns: nil if no device lies on the display.
  public func screen(of display: String? = nil) -> String? {
    if let display { return displays[display]?.timeline.current }
    if displays.count == 1, let only = displays.first { return only.value.timeline.current }
    return screens.current
  }

  /// The screen that a display showed at a time, as far as is known now.
  /// - Returns: nil if that is no longer known.
  public func screen(of display: String, at time: Timestamp) -> String? {
    displays[display]?.timeline.name(at: time)
  }

  public func placement(of device: DeviceIndex) -> Placement { devices[device].placement }

  /// The number of touches that are down and, as far as is known now, not masked. Includes touches
  /// outside of sessions, but not touches that began while recording was paused.
  public var touchesDown: Int {
    devices.reduce(0) { $0 + touchesDown(of: $1) }
  }

  public func touchesDown(of device: DeviceIndex) -> Int { touchesDown(of: devices[device]) }

  private func touchesDown(of device: Device) -> Int {
    device.live.count { touch in touch.map { !isMasked($0) } ?? false }
  }

  /// The sum over all devices, including former ones.
  public var tally: DeviceTally {
    devices.reduce(into: formerTally) { $0.add($1.tally) }
  }
}

extension SessionRecorder.DeviceTally {
  mutating func add(_ other: Self) {
    touches += other.touches
    drops += other.drops
    ghosts += other.ghosts
    echoes += other.echoes
    unrecorded += other.unrecorded
  }
}
