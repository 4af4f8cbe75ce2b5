internal import Glibc
internal import LinuxIO
internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// Receives the daemon's live touches, and connects again by itself.
final class LiveTouches {
  enum Event {
    case connected
    case frame(API.WatchTouches.Reply)
    /// The connection is lost, and with it the state of all touches. Further attempts follow.
    case lost(String)
    /// The user may not watch touches. No further attempts follow.
    case refused(String)
  }

  private enum State {
    /// Waits for the next attempt. Without a timer, only the socket notice ends the wait.
    case waiting(Source?)
    /// The socket was created; the timer connects.
    case hurrying(Source)
    case watching(Stream, Source)
    /// Paused between batches: there may be more frames, and the timer resumes reading.
    case pausing(Stream, Source)
    case ended
  }

  /// The most frames that are read in one batch, so that a daemon that always has more leaves time
  /// for everything else.
  private static let most = 64
  /// The pause after `most` frames, in ms.
  private static let pause = 4
  /// How long to wait after the socket appears, in ms: the daemon does not listen on it right away.
  private static let settling = 50

  private let path: String
  private let handler: (Event) -> Void
  private var state = State.ended
  private var delay: RetryDelay
  /// The watch for a new socket, kept from one attempt to the next while there is no connection, so
  /// that no new socket is missed.
  private var notice: SocketWatch?

  /// - Parameters:
  ///   - path: The path of the daemon's socket.
  ///   - delay: The delay between attempts.
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
    // The closure cannot outlive `self`, which owns the source through `state`.
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
    // Frames that the stream has already read do not make the descriptor readable.
    let pause = Source(afterMilliseconds: Self.pause) { [unowned self] in read() }
    state = .pausing(stream, pause)
  }

  private func fail(_ error: ClientError) {
    if case .remote(let remote) = error, remote.name == API.NotPermitted.name {
      state = .ended
      return handler(.refused(error.advice(path: path)))
    }
    // If no daemon is there after the longest delay, attempts stop: the notice reports the next
    // socket.
    let rests = notice != nil && delay.isLongest && isAbsence(error)
    if notice == nil { notice = SocketWatch(path: path) { [unowned self] in take($0) } }
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

  private func take(_ news: SocketWatch.News) {
    if news == .end { notice = nil }
    // An attempt that is already scheduled, or a connection, is left alone.
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
    // The daemon stops or restarts; the next attempt shows which.
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

/// One connection that receives touches.
private final class Stream {
  private var client: TouchgridClient

  init(path: String) throws(ClientError) {
    // Connecting to a Unix socket takes no time; only a daemon that hangs takes longer.
    var client = try TouchgridClient(path: path, timeout: .seconds(1))
    try client.start(API.WatchTouches())
    self.client = client
  }

  var descriptor: Int32 { client.descriptor }

  func next() throws(ClientError) -> (reply: API.WatchTouches.Reply, continues: Bool)? {
    try client.receive(API.WatchTouches.self, within: .zero)
  }
}
