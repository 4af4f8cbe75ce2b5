internal import LinuxIO
internal import TouchFeedback
internal import TouchModel
internal import TouchgridAPI

/// The overlay, which draws live touches above everything else and lets all input through.
public final class Overlay {
  private let options: OverlayOptions
  private let process: OverlayProcess
  private var desktop: Desktop { process.desktop }
  private var report: ServiceReport { process.report }
  private var scene: Scene
  private var panes: [any Pane] = []
  /// The timer that wakes all panes, and the time that it is set to; nil if there is none.
  private var alarm: (time: Timestamp, source: Source)?
  private var said = ReportedAdvice()
  /// Whether the daemon has sent its displays on the current connection.
  private var knowsDisplays = false

  /// Shows touches until SIGTERM or SIGINT. Call this before the process starts another thread.
  public static func run(_ options: OverlayOptions) throws(OverlayFailure) {
    try OverlayFailure.reported { () throws(OverlayFailure) in try Overlay(options).run() }
  }

  private init(_ options: OverlayOptions) throws(OverlayFailure) {
    self.options = options
    process = try OverlayProcess(options.backend, for: .bubbles)
    scene = Scene(style: options.style)
  }

  private func run() throws(OverlayFailure) {
    desktop.watch { [unowned self] in arrange() }
    arrange()
    try process.watch(API.WatchTouches(), path: options.socket) { [unowned self] in handle($0) }
    defer { panes = [] }
    try process.run()
  }

  private func handle(_ event: LiveTouches.Event) {
    switch event {
    case .connected: knowsDisplays = false
    case .reply(let frame):
      let known = knowsDisplays ? scene.displays : nil
      let change = scene.apply(frame, at: now)
      knowsDisplays = true
      if scene.displays != known { assign() }
      for pane in panes {
        switch change {
        case .everything: pane.wake()
        case .touches(let displays):
          if !displays.isDisjoint(with: pane.displays) { pane.wake() }
        }
      }
      process.reportReady()
    case .lost:
      knowsDisplays = false
      scene.clear()
      for pane in panes { pane.wake() }
    case .refused: break
    }
  }

  /// Creates a pane for each output, and keeps existing panes that still fit.
  private func arrange() {
    let surface = desktop.backend.surface
    let old = panes
    panes = desktop.outputs.map { output in
      old.first { !$0.isClosed && $0.output.isSame(as: output) && $0.surface == surface }
        ?? desktop.backend.makePane(on: output) { [unowned self] in tick($0) }
    }
    assign()
    for pane in panes { pane.wake() }
  }

  private func assign() {
    let outputs = panes.map(\.output.name)
    let match = OutputMatch(
      displays: scene.displays.keys.sorted(), outputs: outputs, chosen: options.outputs)
    for (pane, displays) in zip(panes, match.displays) { pane.displays = displays }
    guard knowsDisplays else { return }
    guard !scene.displays.isEmpty else {
      return report.setStatus(
        "the daemon reads no touchscreen, and so has no display; 'touchgrid doctor' looks for the "
          + "reason")
    }
    var advice = Advice.about(
      match, scene.displays.mapValues(\.geometry), panes.map(\.output.words),
      chosen: options.outputs)
    let covered = panes.filter { $0.isCovered && !$0.displays.isEmpty }
    if !covered.isEmpty {
      let outputs = covered.map { $0.output.name ?? "the monitor" }.joined(separator: ", ")
      report.setStatus(
        """
        a full-screen window that bypasses the window manager, probably a lock screen, covers \(outputs): \
        nothing is drawn there
        """)
    } else if let sentence = match.sentence(outputs: outputs) {
      report.setStatus(sentence)
    } else if !advice.isEmpty {
      report.setStatus(advice.removeFirst().text)
    } else {
      report.setStatus("no output matches a display of the daemon: use --monitor DISPLAY=OUTPUT")
    }
    if let caution = desktop.backend.caution, said.isNew(caution) { report.warn(caution) }
    for one in advice where said.isNew(one.key) { report.warn(one.text) }
  }

  private func tick(_ pane: any Pane) -> Bool {
    let now = now
    scene.forget(at: now)
    let picture = scene.picture(
      of: pane.displays, width: pane.width, height: pane.height, at: now, surface: pane.surface)
    let wasCovered = pane.isCovered
    pane.show(picture)
    if pane.isCovered != wasCovered { assign() }
    guard !picture.isEmpty, let next = scene.nextChange(after: now) else { return false }
    // A change within about one refresh needs no timer: the tick at the next refresh is cheaper.
    if next - now < 20_000 { return true }
    ring(at: next, now)
    return false
  }

  /// Sets the timer that wakes all panes to this time, unless it is already set to the same or an
  /// earlier time.
  private func ring(at time: Timestamp, _ now: Timestamp) {
    if let alarm, alarm.time <= time { return }
    let source = Source(afterMilliseconds: Int((time - now + 999) / 1000)) { [unowned self] in
      alarm = nil
      for pane in panes { pane.wake() }
    }
    alarm = (time, source)
  }

  private var now: Timestamp { Timestamp(microseconds: Clocks.monotonic) }
}
