internal import Glibc
internal import LinuxIO
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// The way to whichever daemon is there: connects again by itself, and never waits for an answer.
final class DaemonLink {
  enum Event {
    /// It knows nothing of what is shown. These names are masked there.
    case connected(masked: Set<String>)
    /// How it is, for people.
    case state(String)
    /// It may not name screens: there is no use in trying again.
    case refused(String)
  }

  private enum State {
    case idle
    /// Without a timer, the notice alone ends it.
    case waiting(Loop.Timer?)
    /// A socket has come.
    case settling(Loop.Timer)
    case connected(Conversation)
  }

  /// In milliseconds, from the making of a socket until somebody listens.
  private static let settling = 50

  private let loop: Loop
  private let path: String
  private let masks: [String]
  private let handler: (Event) -> Void
  private var state = State.idle
  private var delay: RetryDelay
  /// There while there is no daemon: from one attempt to the next, so that none comes unseen.
  private var notice: (watch: Loop.Watch, arrivals: Arrivals)?

  private final class Arrivals {
    let watch: ArrivalWatch
    init(path: String) throws(SystemError) { watch = try ArrivalWatch(path: path) }
  }

  /// - Parameters:
  ///   - path: of the socket.
  ///   - masks: names of screens that are to be masked, before any is named.
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

  /// Tells what is shown; where there is no daemon nothing happens, since one that comes is told all.
  func say(_ change: ShownScreens.Change) {
    if case .connected(let conversation) = state { conversation.say(change) }
  }

  /// Reports a display's mode, in the same way.
  func report(_ mode: DisplayMode) {
    if case .connected(let conversation) = state { conversation.report(mode) }
  }

  /// Calls `body` once nothing is left to be told, or there is nobody to tell it to.
  func finish(_ body: @escaping () -> Void) {
    if case .connected(let conversation) = state {
      conversation.finish(body)
    } else {
      body()
    }
  }

  private func connect() {
    do throws(ClientError) {
      let conversation = try Conversation(loop: loop, path: path, masks: masks) {
        [unowned self] in take($0)
      }
      state = .connected(conversation)
      conversation.begin()
    } catch {
      fail(error)
    }
  }

  private func take(_ event: Conversation.Event) {
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
    // Long ago was the last notice, and there is none to connect to: the next one tells.
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
    // One that is under way is not put off.
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
    if case .closed = error { return "the daemon at \(name) is gone: trying again" }
    guard isAbsence(error), !TouchgridClient.isOther(path) else {
      return "\(error.advice(path: path)) (trying again)"
    }
    return "no daemon at \(name): trying again; \(TouchgridClient.startAdvice(path: path))"
  }
}
