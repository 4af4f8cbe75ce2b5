internal import Glibc
internal import LinuxIO
internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// The link to the daemon. It connects again by itself, and never blocks for an answer.
final class DaemonLink {
  enum Event {
    /// The daemon is connected and does not know yet what is shown. `masked` holds the names of the
    /// screens that the daemon masks.
    case connected(masked: Set<String>)
    /// The state of the link, as text for users.
    case state(String)
    /// The user may not name screens. No further attempts follow.
    case refused(String)
  }

  private enum State {
    case idle
    /// Waits for the next attempt. Without a timer, only the socket notice ends the wait.
    case waiting(Loop.Timer?)
    /// The socket was created; the timer connects.
    case settling(Loop.Timer)
    case connected(FollowerConnection)
  }

  /// How long to wait after the socket appears, in ms: the daemon does not listen on it right away.
  private static let settling = 50

  private let loop: Loop
  private let path: String
  private let masks: [String]
  private let handler: (Event) -> Void
  private var state = State.idle
  private var delay: RetryDelay
  /// The watch for a new socket, kept from one attempt to the next while there is no connection, so
  /// that no new socket is missed.
  private var notice: (watch: Loop.Watch, arrivals: Arrivals)?

  private final class Arrivals {
    let watch: ArrivalWatch
    init(path: String) throws(SystemError) { watch = try ArrivalWatch(path: path) }
  }

  /// - Parameters:
  ///   - path: The path of the daemon's socket.
  ///   - masks: The names of the screens to mask before any screen is named.
  init(
    loop: Loop, path: String, masks: [String], delay: RetryDelay = RetryDelay(),
    _ handler: @escaping (Event) -> Void
  ) {
    self.loop = loop
    self.path = path
    self.masks = masks
    self.delay = delay
    self.handler = handler
  }

  func start() { connect() }

  /// Sends a change. Without a connection it does nothing, because the daemon receives everything
  /// when it connects.
  func say(_ change: ShownScreens.Change) {
    if case .connected(let conversation) = state { conversation.say(change) }
  }

  /// Sends the mode of a display. Without a connection it does nothing, like `say`.
  func report(_ mode: DisplayMode) {
    if case .connected(let conversation) = state { conversation.report(mode) }
  }

  /// Calls `body` once everything is sent, or if there is no connection.
  func finish(_ body: @escaping () -> Void) {
    if case .connected(let conversation) = state {
      conversation.finish(body)
    } else {
      body()
    }
  }

  private func connect() {
    do throws(ClientError) {
      let conversation = try FollowerConnection(loop: loop, path: path, masks: masks) {
        [unowned self] in take($0)
      }
      state = .connected(conversation)
      conversation.begin()
    } catch {
      fail(error)
    }
  }

  private func take(_ event: FollowerConnection.Event) {
    switch event {
    case .agreed(let masked):
      delay.reset()
      notice = nil
      handler(.connected(masked: masked))
    case .state(let text): handler(.state(text))
    case .failed(let error): fail(error)
    }
  }

  private func fail(_ error: ClientError) {
    if case .remote(let remote) = error, remote.name == API.NotPermitted.name {
      state = .idle
      return handler(.refused(error.advice(path: path)))
    }
    // If no daemon is there after the longest delay, attempts stop: the notice reports the next
    // socket.
    let rests = notice != nil && delay.isLongest && isAbsence(error)
    if notice == nil { notice = watchForSocket() }
    if rests {
      state = .waiting(nil)
    } else {
      state = .waiting(
        loop.after(milliseconds: delay.next()) { [unowned self] in connect() })
    }
    handler(.state(reason(error)))
  }

  private func watchForSocket() -> (Loop.Watch, Arrivals)? {
    guard let arrivals = try? Arrivals(path: path),
      let watch = try? loop.watch(arrivals.watch.descriptor, { [unowned self] in noticed() })
    else { return nil }
    return (watch, arrivals)
  }

  private func noticed() {
    guard let notice else { return }
    let news = (try? notice.arrivals.watch.news()) ?? .end
    if news == .nothing { return }
    if news == .end { self.notice = nil }
    // An attempt that is already scheduled, or a connection, is left alone.
    guard case .waiting = state else { return }
    state = .settling(
      loop.after(milliseconds: Self.settling) { [unowned self] in connect() })
  }

  private func isAbsence(_ error: ClientError) -> Bool {
    guard case .system(let error) = error else { return false }
    return error.code == ENOENT || error.code == ECONNREFUSED
  }

  private func reason(_ error: ClientError) -> String {
    let name = path.printable(limit: 4096)
    if case .closed = error { return "lost the connection to the daemon at \(name): trying again" }
    guard isAbsence(error), !TouchgridClient.isOther(path) else {
      return "\(error.advice(path: path)) (trying again)"
    }
    return "no daemon at \(name): trying again; \(TouchgridClient.startAdvice(path: path))"
  }
}
