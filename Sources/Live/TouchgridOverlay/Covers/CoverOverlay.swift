internal import CGTK
internal import Glibc
internal import LinuxIO
internal import TouchgridAPI

/// Takes all touches in the covers of the daemon's configuration, so that the app gets none of
/// them. It sleeps until the daemon, the desktop or such a touch wakes it up.
@safe public final class CoverOverlay {
  private let options: OverlayOptions
  private let desktop: Desktop
  private let signals: Signals
  private let loop: OpaquePointer
  private let report = ServiceReport(program: "touchgrid-overlay")
  private var replies: LiveReplies<API.WatchCovers>?
  /// The displays that the daemon has told last. They stay while it is away: so do the ghosts.
  private var displays: [API.CoveredDisplay] = []
  private var shields: [Shield] = []
  private var sources: [Source] = []
  private var reopening: Source?
  private var failure: OverlayFailure?
  /// The timer that reports readiness if the daemon does not answer; nil once it is reported.
  private var readiness: Source?

  /// Takes touches until SIGTERM or SIGINT. Call this before the process starts another thread.
  public static func run(_ options: OverlayOptions) throws(OverlayFailure) {
    do throws(OverlayFailure) { try CoverOverlay(options).run() } catch {
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
    unsafe loop = g_main_loop_new(nil, 0)
  }

  deinit { unsafe g_main_loop_unref(loop) }

  private func run() throws(OverlayFailure) {
    sources = [Source(descriptor: signals.descriptor) { [unowned self] in quit() }]
    desktop.watch { [unowned self] in arrange() }
    let replies: LiveReplies<API.WatchCovers>
    do throws(TouchgridError) {
      replies = try LiveReplies(API.WatchCovers(), path: options.socket) {
        [unowned self] in handle($0)
      }
    } catch {
      throw .system("\(error)")
    }
    self.replies = replies
    readiness = Source(afterMilliseconds: 3000) { [unowned self] in
      report.setStatus("waiting for the daemon to answer")
      reportReady()
    }
    replies.start()
    if failure == nil { unsafe g_main_loop_run(loop) }
    report.stopping()
    shields = []
    if let failure { throw failure }
  }

  private func quit() { unsafe g_main_loop_quit(loop) }

  private func reportReady() {
    guard readiness != nil else { return }
    readiness = nil
    report.ready()
  }

  private func handle(_ event: LiveReplies<API.WatchCovers>.Event) {
    switch event {
    case .connected: break
    case .reply(let reply):
      displays = reply.displays
      arrange()
      if shields.isEmpty { reportReady() }
    case .lost(let reason):
      report.setStatus(reason)
      reportReady()
    case .refused(let message):
      failure = .notPermitted(message)
      quit()
    }
  }

  /// Has a shield on each output with covers, and none on the others.
  private func arrange() {
    let outputs = desktop.outputs
    let match = OutputMatch(
      displays: displays.map(\.name), outputs: outputs.map(\.name), chosen: options.outputs)
    let former = shields
    shields = []
    for (output, names) in zip(outputs, match.displays) {
      let areas = displays.filter { names.contains($0.name) }.flatMap { $0.areas(on: output) }
      guard !areas.isEmpty else { continue }
      let shield =
        former.first { !$0.isClosed && $0.output.isSame(as: output) }
        ?? desktop.backend.makeShield(on: output) { [unowned self] in handle($0) }
      shield.areas = areas
      shields.append(shield)
    }
    let areas = shields.reduce(0) { $0 + ($1.areas?.count ?? 0) }
    let hidden = displays.filter { match.unplaced.contains($0.name) && !$0.covers.isEmpty }
    report.setStatus(
      hidden.isEmpty
        ? "taking the touches in \(areas) cover\(areas == 1 ? "" : "s")"
        : "no output matches the display \(hidden[0].name), which has covers: use --monitor")
  }

  private func handle(_ event: Shield.Event) {
    switch event {
    case .appeared: if shields.allSatisfy(\.isThere) { reportReady() }
    case .closed:
      // The delay keeps a compositor that closes every window from causing constant work.
      reopening = Source(afterMilliseconds: 1000) { [unowned self] in arrange() }
    case .began, .ended: break
    }
  }
}

extension API.CoveredDisplay {
  /// The covers in points of an output that shows the display, which is stretched over it.
  fileprivate func areas(on output: Output) -> [Area] {
    guard width > 0, height > 0 else { return [] }
    let (x, y) = (Double(output.place.width) / width, Double(output.place.height) / height)
    return covers.map {
      Area(covering: $0.x * x, $0.y * y, ($0.x + $0.width) * x, ($0.y + $0.height) * y)
    }
  }
}
