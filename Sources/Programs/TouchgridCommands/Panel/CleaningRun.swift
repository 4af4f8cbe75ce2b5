import LinuxIO
import Reports
import Text
import TouchModel
import TouchgridAPI

/// Keeps the glass closed while it is wiped.
struct CleaningRun {
  let reader: PanelReader
  let key: PanelKey
  let display: String
  /// Connects to the daemon; nil if none runs.
  let connect: () throws(Failure) -> DaemonConnection?
  let canvas: any PanelCanvas
  /// The duration, in ms.
  let duration: Int64

  /// Shows the time that is left until it is over, or until somebody presses Enter or holds two
  /// corners.
  func run() throws -> Wipe {
    try reader.begin()
    defer {
      canvas.clear()
      reader.end()
    }
    var (wipe, corners) = (Wipe(of: key), CornerHold())
    try canvas.show(Self.scene(duration * 1000))
    // Forget the touches that were still the app's.
    reader.discard()
    let start = Clocks.monotonic
    var daemon: DaemonConnection?
    /// Lets the daemon count the touches as swallowed.
    func swallow(until end: Int64?) throws(Failure) {
      if daemon == nil { daemon = try connect() }
      _ = try daemon?.call(
        API.Swallow(display: display, sinceAtUs: start, untilAtUs: end, isUse: false))
    }
    try swallow(until: nil)
    defer {
      canvas.clear()
      try? swallow(until: Clocks.monotonic)
    }
    let end = start + duration * 1000
    var tick = start + 1_000_000
    while true {
      let now = Clocks.monotonic
      let stop = min(end, corners.end?.microseconds ?? .max)
      if now >= stop { return wipe }
      if now >= tick {
        try canvas.show(Self.scene(end - now))
        tick += 1_000_000
        if daemon == nil { try? swallow(until: nil) }
      }
      switch try reader.next(until: min(tick, stop), other: daemon?.descriptor) {
      case .frame(let updates, let time):
        wipe.add(updates, at: time)
        for update in updates { follow(update, at: time, &corners) }
      case .line: return wipe
      // The daemon has closed the connection, as at a restart.
      case .other: daemon = nil
      case .unplugged: throw Failure("the touchscreen was unplugged; the glass takes touches again")
      case .timeout: break
      }
    }
  }

  private func follow(_ update: TouchUpdate, at time: Timestamp, _ corners: inout CornerHold) {
    func part(_ value: Int32, _ axis: PanelAxis) -> Double {
      (Double(value) - Double(axis.minimum)) / (Double(axis.maximum) - Double(axis.minimum))
    }
    switch update.phase {
    case .ended, .cancelled: corners.lift(update.touch)
    case .began, .moved, .stationary:
      corners.place(
        update.touch, x: part(update.x, key.x), y: part(update.y, key.y),
        isNew: update.phase == .began && !update.preexisting, at: time)
    }
  }

  private static func scene(_ left: Int64) -> PanelScene {
    let seconds = max(0, (left + 500_000) / 1_000_000)
    let clock = "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    return PanelScene(
      title: "\(clock)  The screen takes no touch while it is wiped. Hold two corners to end this.")
  }
}
