internal import LinuxIO
internal import ScreenNaming
internal import TouchModel

typealias WaylandSource = WindowSource<WaylandWindows>
typealias X11Source = WindowSource<X11Windows>

/// The windows that are shown, whichever window system is there: connects again by itself.
final class WindowSource<System: WindowSystem>: SightingSource {
  /// In milliseconds: window managers let go of one window some time before they take the next. Less than the daemon takes
  /// late names.
  private static var absence: Int { 150 }

  let name = System.name
  private let loop: Loop
  private let display: String?
  private let handler: (SourceEvent) -> Void
  private var delay = RetryDelay()
  private var connection: (system: System, watch: Loop.Watch)?
  private var timer: Loop.Timer?
  private var seen: [String?: Sighting] = [:]
  /// Since when nothing is shown, and what tells it.
  private var absence: (time: Int64, timer: Loop.Timer)?

  /// - Parameter display: what the daemon calls it: of several outputs the one of this name alone is looked at.
  init(loop: Loop, display: String?, _ handler: @escaping (SourceEvent) -> Void) {
    self.loop = loop
    self.display = display
    self.handler = handler
    timer = loop.after(milliseconds: 0) { [unowned self] in connect() }
  }

  private func connect() {
    timer = nil
    do throws(WindowSystemRefusal) {
      let system = try System()
      guard let watch = try? loop.watch(system.descriptor, { [unowned self] in read() }) else {
        throw WindowSystemRefusal(reason: "\(name) cannot be watched")
      }
      connection = (system, watch)
    } catch {
      return again(error.reason)
    }
    delay.reset()
    handler(.state("\(name) is followed"))
    read()
  }

  private func read() {
    guard let system = connection?.system else { return }
    while true {
      guard let isChanged = system.take() else {
        connection = nil
        tell([], at: Clocks.monotonic)
        return again("\(name) is gone")
      }
      // Asking for windows may bring news along.
      guard isChanged else { return }
      let time = Clocks.monotonic
      tell(system.windows, at: time)
    }
  }

  private func again(_ reason: String) {
    handler(.state("\(reason.printable(limit: 500)): trying again"))
    timer = loop.after(milliseconds: delay.next()) { [unowned self] in connect() }
  }

  private func tell(_ windows: [SeenWindow], at time: Int64) {
    let now = sightings(windows)
    for (place, sighting) in now where seen[place] != sighting {
      seen[place] = sighting
      handler(.seen(SeenScreen(display: place, content: .sighting(sighting), time: time)))
    }
    if seen.keys.allSatisfy({ now[$0] != nil }) {
      absence = nil
    } else if absence == nil {
      let timer = loop.after(milliseconds: Self.absence) { [unowned self] in tellAbsence() }
      absence = (time, timer)
    }
  }

  private func tellAbsence() {
    guard let time = absence?.time else { return }
    absence = nil
    let now = sightings(connection?.system.windows ?? [])
    for place in seen.keys where now[place] == nil {
      seen[place] = nil
      handler(.seen(SeenScreen(display: place, content: .nothing, time: time)))
    }
  }

  private func sightings(_ windows: [SeenWindow]) -> [String?: Sighting] {
    var sightings: [String?: Sighting] = [:]
    for window in windows where display == nil || window.output == nil || window.output == display {
      sightings[display ?? window.output] = Sighting(app: window.app, title: window.title)
    }
    return sightings
  }
}
