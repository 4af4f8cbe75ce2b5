internal import LinuxIO
internal import Text
internal import TouchModel

typealias WaylandSource = WindowSource<WaylandWindows>
typealias X11Source = WindowSource<X11Windows>

/// Observes the windows of a window system, and reconnects automatically.
final class WindowSource<System: WindowSystem>: ObservationSource {
  /// The time, in ms, after which a display without a window is reported to show nothing. It
  /// bridges the moment between the deactivation of one window and the activation of the next. It
  /// is less than the default of the daemon's `late_names`.
  private static var absence: Int { 150 }
  /// The pause, in ms, before events that arrived with a reply are read. It leaves time for
  /// everything else while a window changes constantly.
  private static var pause: Int { 5 }

  private let name = System.name
  private let loop: Loop
  private let output: String?
  private let display: String?
  private let handler: (SourceEvent) -> Void
  private var delay = RetryDelay()
  private var connection: (system: System, watch: Loop.Watch?)?
  private var timer: Loop.Timer?
  private var seen: [String?: Observation] = [:]
  /// The time since which each display has no window, in µs on `CLOCK_MONOTONIC`, until
  /// `absenceTimer` reports it.
  private var absences: [String?: Int64] = [:]
  private var absenceTimer: Loop.Timer?
  private var hasMissedOutput = false
  private var modes: [DisplayMode] = []
  private let controls: WindowControls?

  /// - Parameters:
  ///   - output: The only output to observe; nil for the output that is named like `display`, or
  ///     for all outputs if that is nil too.
  ///   - display: The daemon's name of the observed display. If it is nil, each of several outputs
  ///     is a display with the name of the output, and a single output stands for all displays.
  ///   - wantsControls: Whether to find the controls of windows.
  init(
    loop: Loop, output: String?, display: String?, wantsControls: Bool,
    _ handler: @escaping (SourceEvent) -> Void
  ) {
    self.loop = loop
    self.output = output
    self.display = display
    self.handler = handler
    controls = wantsControls ? WindowControls(loop: loop, handler) : nil
    timer = loop.after(milliseconds: 0) { [unowned self] in connect() }
  }

  func lookForControls() { controls?.look() }

  private func connect() {
    timer = nil
    do throws(WindowSystemRefusal) {
      connection = (try System(), nil)
    } catch {
      return again(error.reason)
    }
    delay.reset()
    handler(.state("following \(name)"))
    read()
  }

  private func read() {
    guard let system = connection?.system else { return }
    guard let isChanged = system.readPending() else { return connectionLost() }
    if isChanged {
      report(system.modes)
      report(system.windows, at: Clocks.monotonic)
    }
    listen()
  }

  /// Waits for events. Events that have arrived together with a reply do not make the descriptor
  /// readable, so a timer reads them.
  private func listen() {
    guard let system = connection?.system else { return }
    if system.hasNews {
      connection?.watch = nil
      timer = loop.after(milliseconds: Self.pause) { [unowned self] in read() }
    } else if connection?.watch == nil {
      let watch = try? loop.watch(system.descriptor) { [unowned self] in read() }
      guard let watch else { return connectionLost() }
      connection?.watch = watch
    }
  }

  private func connectionLost() {
    connection = nil
    absences = [:]
    absenceTimer = nil
    let time = Clocks.monotonic
    for place in seen.keys {
      handler(.seen(ObservedScreen(display: place, content: .unknown, time: time)))
    }
    seen = [:]
    controls?.show([:])
    report([])
    again("lost the connection to \(name)")
  }

  private func again(_ reason: String) {
    handler(.state("\(reason.printable(limit: 500)): trying again"))
    timer = loop.after(milliseconds: delay.next()) { [unowned self] in connect() }
  }

  /// Reports the modes that have changed, and the displays that no longer have a mode.
  private func report(_ all: [DisplayMode]) {
    // If only `display` is set, an output with another name may not be that display, so its mode is
    // not reported.
    var now = all.filter { $0.display == output ?? display ?? $0.display }
    for index in now.indices { now[index].display = display ?? now[index].display }
    let gone = modes.filter { old in !now.contains { $0.display == old.display } }
    for mode in gone { handler(.mode(DisplayMode(display: mode.display, size: nil))) }
    for mode in now where !modes.contains(mode) { handler(.mode(mode)) }
    modes = now
  }

  private func report(_ windows: [ShownWindow], at time: Int64) {
    let now = sightings(windows)
    controls?.show(windowsWithControls(windows))
    for (place, sighting) in now {
      absences[place] = nil
      guard seen[place] != sighting else { continue }
      seen[place] = sighting
      handler(.seen(ObservedScreen(display: place, content: .sighting(sighting), time: time)))
    }
    for place in seen.keys where now[place] == nil && absences[place] == nil {
      absences[place] = time
    }
    guard let first = absences.values.min() else { return absenceTimer = nil }
    let left = Self.absence - Int((Clocks.monotonic - first) / 1000)
    absenceTimer = loop.after(milliseconds: max(0, left)) { [unowned self] in reportAbsence() }
  }

  private func reportAbsence() {
    guard let system = connection?.system else { return }
    report(system.windows, at: Clocks.monotonic)
    let past = Clocks.monotonic - Int64(Self.absence) * 1000
    for (place, time) in absences where time <= past {
      absences[place] = nil
      seen[place] = nil
      handler(.seen(ObservedScreen(display: place, content: .nothing, time: time)))
    }
    listen()
  }

  /// Returns the windows whose controls must be found, by display.
  private func windowsWithControls(
    _ windows: [ShownWindow]
  ) -> [String?: WindowControls.Window] {
    let wanted = output ?? display
    var found: [String?: WindowControls.Window] = [:]
    for window in windows {
      guard wanted == nil || window.output == nil || window.output == wanted else { continue }
      let place = display ?? window.output
      let mode = modes.count == 1 ? modes.first : modes.first { $0.display == place }
      found[place] = WindowControls.Window(
        app: window.app, title: window.title, isFullScreen: window.isFullScreen, size: mode?.size)
    }
    return found
  }

  private func sightings(_ windows: [ShownWindow]) -> [String?: Observation] {
    var sightings: [String?: Observation] = [:]
    let wanted = output ?? display
    for window in windows {
      guard wanted == nil || window.output == nil || window.output == wanted else { continue }
      sightings[display ?? window.output] = Observation(app: window.app, title: window.title)
    }
    if let wanted, sightings.isEmpty, !windows.isEmpty, !hasMissedOutput {
      hasMissedOutput = true
      let names = Set(windows.compactMap(\.output)).sorted().joined(separator: ", ")
      handler(
        .state(
          "no window on output \(wanted), only on \(names): set output in the [[source]] to one of "
            + "these"
        ))
    }
    return sightings
  }
}
