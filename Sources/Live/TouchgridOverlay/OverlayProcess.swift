internal import CGTK
internal import Glibc
internal import LinuxIO
internal import TouchgridAPI

/// What every kind of overlay has: its desktop, its main loop, its calls of the daemon, and its
/// reports to the service manager.
@safe final class OverlayProcess {
  let desktop: Desktop
  let report = ServiceReport(program: "touchgrid-overlay")
  private let signals: Signals
  private let loop: OpaquePointer
  private var calls: [AnyObject] = []
  private var failure: OverlayFailure?
  private var isReady = false
  /// The reason why the daemon is away, once it is reported. Each attempt to connect finds it again.
  private var reportedLoss: String?
  /// The timer that reports readiness if the daemon does not answer in time.
  private var readiness: Source?

  /// Call this before the process starts another thread.
  init(
    _ backend: OverlayOptions.Backend, for purpose: Desktop.Purpose
  ) throws(OverlayFailure) {
    if let refusal = RuntimeFolder.refusal { throw .unreachable(refusal) }
    do throws(SystemError) { signals = try Signals([SIGTERM, SIGINT]) } catch {
      throw .system("\(error)")
    }
    desktop = try Desktop(backend, for: purpose)
    unsafe loop = g_main_loop_new(nil, 0)
  }

  deinit { unsafe g_main_loop_unref(loop) }

  /// Runs the main loop until a signal, `quit` or a refusal.
  func run() throws(OverlayFailure) {
    let source = Source(descriptor: signals.descriptor) { [unowned self] in quit() }
    withExtendedLifetime(source) { if failure == nil { unsafe g_main_loop_run(loop) } }
    report.stopping()
    if let failure { throw failure }
  }

  func quit() { unsafe g_main_loop_quit(loop) }

  /// Makes a call that lasts as long as this object, and passes its events on. Reports when the
  /// daemon is away, and quits if it refuses the call.
  ///
  /// Readiness waits for the first answer, up to 3 s, so that a refusal makes the start of the
  /// service fail.
  func watch<Called: Method>(
    _ call: Called, path: String, _ handler: @escaping (LiveReplies<Called>.Event) -> Void
  ) throws(OverlayFailure) {
    let replies: LiveReplies<Called>
    do throws(TouchgridError) {
      replies = try LiveReplies(call, path: path) { [unowned self] event in
        handler(event)
        switch event {
        case .connected: break
        case .reply: reportedLoss = nil
        case .lost(let reason):
          if reason != reportedLoss { report.setStatus(reason) }
          reportedLoss = reason
          reportReady()
        case .refused(let message):
          failure = .notPermitted(message)
          quit()
        }
      }
    } catch {
      throw .system("\(error)")
    }
    calls.append(replies)
    readiness = Source(afterMilliseconds: 3000) { [unowned self] in
      report.setStatus("waiting for the daemon to answer")
      reportReady()
    }
    replies.start()
  }

  /// Reports readiness once.
  func reportReady() {
    readiness = nil
    guard !isReady, failure == nil else { return }
    isReady = true
    report.ready()
  }
}

extension OverlayFailure {
  /// Reports a failure of `body` to the service manager as well.
  static func reported(_ body: () throws(OverlayFailure) -> Void) throws(OverlayFailure) {
    do throws(OverlayFailure) { try body() } catch {
      ServiceReport(program: "touchgrid-overlay").setStatus("\(error)")
      throw error
    }
  }
}
