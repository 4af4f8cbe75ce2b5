internal import Glibc
internal import LinuxIO
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// The daemon's live touches, from whichever daemon is there: connects again by itself.
final class LiveTouches {
  enum Event {
    case connected
    case frame(API.WatchTouches.Reply)
    /// Nothing is known of any touch from now on; it goes on trying.
    case lost(String)
    /// It may not watch: there is no use in trying again.
    case refused(String)
  }

  private enum State {
    /// Without a timer, the notice alone ends it.
    case waiting(Source?)
    /// A socket has come; the timer is due.
    case hurrying(Source)
    case watching(Stream, Source)
    /// There may be more; the timer is due.
    case pausing(Stream, Source)
    case ended
  }

  /// Frames taken at once; a daemon that always has more leaves time for everything else.
  private static let most = 64
  /// In milliseconds, after as many.
  private static let pause = 4
  /// In milliseconds, from the making of a socket until somebody listens.
  private static let settling = 50

  private let path: String
  private let handler: (Event) -> Void
  private var state = State.ended
  private var delay: RetryDelay
  /// There while there is no daemon: from one attempt to the next, so that none comes unseen.
  private var notice: SocketNotice?

  /// - Parameters:
  ///   - path: of the socket.
  ///   - delay: between attempts.
  init(path: String, delay: RetryDelay = RetryDelay(), _ handler: @escaping (Event) -> Void) {
    self.path = path
    self.delay = delay
    self.handler = handler
  }

  func start() { connect() }

  private func connect() {
    do throws(ClientError) {
      let stream = try Stream(path: path)
      watch(stream)
      handler(.connected)
    } catch {
      fail(error)
    }
  }

  private func watch(_ stream: Stream) {
    // No cycle: the state drops the source, and with it this closure.
    let source = Source(descriptor: stream.descriptor) { [unowned self] in read() }
    state = .watching(stream, source)
  }

  private func read() {
    let stream: Stream
    let hasPaused: Bool
    switch state {
    case .watching(let current, _): (stream, hasPaused) = (current, false)
    case .pausing(let current, _): (stream, hasPaused) = (current, true)
    case .waiting, .hurrying, .ended: return
    }
    do throws(ClientError) {
      for _ in 0..<Self.most {
        guard let (frame, continues) = try stream.next() else {
          if hasPaused { watch(stream) }
          return
        }
        delay.reset()
        notice = nil
        handler(.frame(frame))
        guard continues else { throw .closed }
      }
    } catch {
      return fail(error)
    }
    // What the stream has read already makes no descriptor readable.
    let pause = Source(afterMilliseconds: Self.pause) { [unowned self] in read() }
    state = .pausing(stream, pause)
  }

  private func fail(_ error: ClientError) {
    if case .remote(let remote) = error, remote.name == API.NotPermitted.name {
      state = .ended
      return handler(.refused(error.advice(path: path)))
    }
    // Long ago was the last notice, and there is none to connect to: the next one tells.
    let rests = notice != nil && delay.isLongest && isAbsence(error)
    if notice == nil { notice = SocketNotice(path: path) { [unowned self] in take($0) } }
    if rests, case .waiting = state {
      state = .waiting(nil)
    } else {
      wait()
    }
    handler(.lost(reason(error)))
  }

  private func wait() {
    state = .waiting(
      Source(afterMilliseconds: delay.next()) { [unowned self] in connect() })
  }

  private func take(_ news: SocketNotice.News) {
    if news == .end { notice = nil }
    // One that is under way is not put off.
    guard case .waiting = state else { return }
    state = .hurrying(
      Source(afterMilliseconds: Self.settling) { [unowned self] in connect() })
  }

  private func isAbsence(_ error: ClientError) -> Bool {
    guard case .system(let error) = error else { return false }
    return error.code == ENOENT || error.code == ECONNREFUSED
  }

  private func reason(_ error: ClientError) -> String {
    let name = path.printable(limit: 4096)
    // It stops or starts again: whether it is there is known at the next attempt.
    if case .closed = error { return absence(name) }
    guard isAbsence(error), !TouchgridClient.isOther(path) else {
      return "\(error.advice(path: path)) (trying again)"
    }
    return absence(name)
  }

  private func absence(_ name: String) -> String {
    "no daemon at \(name): trying again; \(TouchgridClient.startAdvice(path: path))"
  }
}

/// One connection on which touches come.
private final class Stream {
  private var client: TouchgridClient

  init(path: String) throws(ClientError) {
    // Connecting takes no time: what waits longer is a daemon that hangs.
    var client = try TouchgridClient(path: path, timeout: .seconds(1))
    try client.start(API.WatchTouches())
    self.client = client
  }

  var descriptor: Int32 { client.descriptor }

  func next() throws(ClientError) -> (reply: API.WatchTouches.Reply, continues: Bool)? {
    try client.receive(API.WatchTouches.self, within: .zero)
  }
}
