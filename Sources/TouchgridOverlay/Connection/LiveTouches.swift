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
    case waiting(Source, SocketNotice?)
    case watching(Stream, Source)
    case ended
  }

  private let path: String
  private let handler: (Event) -> Void
  private var state = State.ended
  private var delay = RetryDelay()

  init(path: String, _ handler: @escaping (Event) -> Void) {
    self.path = path
    self.handler = handler
  }

  func start() { connect() }

  private func connect() {
    do throws(ClientError) {
      let stream = try Stream(path: path)
      // No cycle: the state drops the source, and with it this closure.
      let source = Source(descriptor: stream.descriptor) { [unowned self] in read() }
      state = .watching(stream, source)
      handler(.connected)
    } catch {
      fail(error)
    }
  }

  private func read() {
    guard case .watching(let stream, _) = state else { return }
    do throws(ClientError) {
      while let (frame, continues) = try stream.next() {
        delay.reset()
        handler(.frame(frame))
        guard continues else { throw .closed }
      }
    } catch {
      fail(error)
    }
  }

  private func fail(_ error: ClientError) {
    if case .remote(let remote) = error, remote.name == API.NotPermitted.name {
      state = .ended
      return handler(.refused("\(remote)"))
    }
    wait(delay.next(), SocketNotice(path: path) { [unowned self] in socketCame() })
    handler(.lost(reason(error)))
  }

  private func wait(_ milliseconds: Int, _ notice: SocketNotice?) {
    state = .waiting(
      Source(afterMilliseconds: milliseconds) { [unowned self] in connect() }, notice)
  }

  /// A daemon makes its socket, and listens a moment later.
  private func socketCame() {
    guard case .waiting(_, let notice) = state else { return }
    delay.reset()
    wait(50, notice)
  }

  private func reason(_ error: ClientError) -> String {
    switch error {
    case .system(let error) where error.code == ENOENT || error.code == ECONNREFUSED:
      "no daemon at \(path)"
    // It stops or starts again: whether it is there is known at the next attempt.
    case .closed: "no daemon at \(path)"
    default: "\(error)"
    }
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
