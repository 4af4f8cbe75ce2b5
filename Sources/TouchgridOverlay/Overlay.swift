internal import CGTK
internal import COverlay
internal import Glibc
internal import LinuxIO
internal import TouchFeedback
internal import TouchModel
internal import TouchgridAPI

/// Draws live touches above everything else, and takes no input.
@safe public final class Overlay {
  private let options: OverlayOptions
  private let desktop: Desktop
  private let signals: Signals
  private let loop: OpaquePointer
  private let report = Report()
  private var scene: Scene
  private var panes: [any Pane] = []
  private var touches: LiveTouches?
  private var sources: [Source] = []
  private var alarm: Source?
  private var failure: OverlayFailure?
  /// Ready at the latest when this is due; nil once it is.
  private var readiness: Source?
  private var advice = Advice()

  /// Shows touches until it is told to end (SIGTERM, SIGINT). Call it before there is another thread.
  public static func run(_ options: OverlayOptions) throws(OverlayFailure) {
    do throws(OverlayFailure) { try Overlay(options).run() } catch {
      Report().failed(error)
      throw error
    }
  }

  private init(_ options: OverlayOptions) throws(OverlayFailure) {
    self.options = options
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
    let touches = LiveTouches(path: options.socket) { [unowned self] in take($0) }
    self.touches = touches
    // Whoever waits is told of a refusal as of any other failure; of a daemon that hangs, nothing.
    readiness = Source(afterMilliseconds: 1000) { [unowned self] in beReady() }
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

  private func take(_ event: LiveTouches.Event) {
    switch event {
    case .connected: break
    case .frame(let frame):
      let known = scene.displays
      let change = scene.take(frame, at: now)
      if scene.displays != known { assign() }
      for pane in panes {
        switch change {
        case .everything: pane.wake()
        case .touches(let displays):
          if !displays.isDisjoint(with: pane.displays) { pane.wake() }
        }
      }
      beReady()
    case .lost(let reason):
      scene.clear()
      for pane in panes { pane.wake() }
      report.lost(reason)
      beReady()
    case .refused(let message):
      failure = .notPermitted(message)
      unsafe g_main_loop_quit(loop)
    }
  }

  private func beReady() {
    guard readiness != nil else { return }
    readiness = nil
    report.ready()
  }

  /// Makes the windows that the outputs need, and keeps those that still fit.
  private func arrange() {
    let surface = desktop.backend.surface
    let old = panes
    panes = desktop.outputs.map { output in
      old.first { $0.output.isSame(as: output) && $0.surface == surface }
        ?? desktop.backend.makePane(on: output) { [unowned self] in tick($0) }
    }
    assign()
    for pane in panes { pane.wake() }
  }

  private func assign() {
    let names = scene.displays.keys.sorted()
    let match = OutputMatch(
      displays: names, outputs: panes.map(\.output.name), chosen: options.outputs)
    for (pane, displays) in zip(panes, match.displays) { pane.displays = displays }
    guard !names.isEmpty else { return }
    report.showing(panes.filter { !$0.displays.isEmpty }.map(\.output.description))
    if let line = advice.once(desktop.backend.caution) { report.warn(line) }
    for line in advice.about(match, scene.displays, panes.map(\.output)) { report.warn(line) }
  }

  private func tick(_ pane: any Pane) -> Bool {
    let now = now
    scene.forget(at: now)
    var picture = Picture.nothing
    for display in pane.displays {
      let part = scene.picture(
        of: display, width: pane.width, height: pane.height, at: now, surface: pane.surface)
      picture.shapes += part.shapes
      picture.masks += part.masks
    }
    pane.show(picture)
    guard !picture.isEmpty, let next = scene.nextChange(after: now) else { return false }
    // Sooner than the refresh after next: a timer would not be worth its while.
    if next - now < 20_000 { return true }
    alarm = Source(afterMilliseconds: Int((next - now) / 1000)) { [unowned self] in
      for pane in panes { pane.wake() }
    }
    return false
  }

  private var now: Timestamp { Timestamp(microseconds: Clocks.monotonic) }
}
