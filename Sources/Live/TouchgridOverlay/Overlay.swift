internal import CGTK
internal import COverlay
internal import Glibc
internal import LinuxIO
internal import TouchFeedback
internal import TouchModel
internal import TouchgridAPI

/// The overlay, which draws live touches above everything else and lets all input through.
@safe public final class Overlay {
  private let options: OverlayOptions
  private let desktop: Desktop
  private let signals: Signals
  private let loop: OpaquePointer
  private let report = ServiceReport(program: "touchgrid-overlay")
  private var scene: Scene
  private var panes: [any Pane] = []
  private var touches: LiveTouches?
  private var sources: [Source] = []
  /// The timer that wakes all panes, and the time that it is set to; nil if there is none.
  private var alarm: (time: Timestamp, source: Source)?
  private var failure: OverlayFailure?
  /// The timer that reports readiness if the daemon does not answer in time; nil once readiness is
  /// reported.
  private var readiness: Source?
  private var said = ReportedAdvice()
  /// Whether the daemon has sent its displays on the current connection.
  private var knowsDisplays = false

  /// Shows touches until SIGTERM or SIGINT. Call this before the process starts another thread.
  public static func run(_ options: OverlayOptions) throws(OverlayFailure) {
    do throws(OverlayFailure) { try Overlay(options).run() } catch {
      ServiceReport(program: "touchgrid-overlay").setStatus("\(error)")
      throw error
    }
  }

  private init(_ options: OverlayOptions) throws(OverlayFailure) {
    self.options = options
    if let refusal = RuntimeFolder.refusal { throw .unreachable(refusal) }
    do throws(SystemError) { signals = try Signals([SIGTERM, SIGINT]) } catch {
      throw .system("\(error)")
    }
    desktop = try Desktop(options.backend)
    scene = Scene(style: options.style)
    unsafe loop = g_main_loop_new(nil, 0)
  }

  deinit { unsafe g_main_loop_unref(loop) }

  private func run() throws(OverlayFailure) {
    sources = [Source(descriptor: signals.descriptor) { [unowned self] in signalled() }]
    desktop.watch { [unowned self] in arrange() }
    arrange()
    let touches: LiveTouches
    do throws(TouchgridError) {
      touches = try LiveTouches(API.WatchTouches(), path: options.socket) {
        [unowned self] in handle($0)
      }
    } catch {
      throw .system("\(error)")
    }
    self.touches = touches
    // Readiness waits for the daemon's first answer, up to 3 s, so that a refusal makes the start
    // of the service fail.
    readiness = Source(afterMilliseconds: 3000) { [unowned self] in
      report.setStatus("waiting for the daemon to answer")
      reportReady()
    }
    touches.start()
    if failure == nil { unsafe g_main_loop_run(loop) }
    report.stopping()
    panes = []
    if let failure { throw failure }
  }

  private func signalled() {
    guard let signal = try? signals.next(), signal != 0 else { return }
    unsafe g_main_loop_quit(loop)
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
      reportReady()
    case .lost(let reason):
      knowsDisplays = false
      scene.clear()
      for pane in panes { pane.wake() }
      report.setStatus(reason)
      reportReady()
    case .refused(let message):
      failure = .notPermitted(message)
      unsafe g_main_loop_quit(loop)
    }
  }

  private func reportReady() {
    guard readiness != nil else { return }
    readiness = nil
    report.ready()
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
