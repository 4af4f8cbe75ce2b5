internal import LinuxIO
internal import TouchModel
internal import TouchgridAPI

/// Receives the daemon's live touches.
typealias LiveTouches = LiveReplies<API.WatchTouches>

/// Receives the daemon's replies to a call that lasts as long as its connection. Reconnects, and
/// calls again.
final class LiveReplies<Called: Method> {
  enum Event {
    case connected
    case reply(Called.Reply)
    /// The connection is lost, and with it all that the replies have reported. The connection will
    /// try to reconnect.
    case lost(String)
    /// The user lacks the role that the call needs. There are no further attempts to connect.
    case refused(String)
  }

  /// The maximum number of replies in one batch. It leaves time for everything else, even if the
  /// daemon always has more.
  private static var batch: Int { 64 }
  /// The pause after a batch, in ms.
  private static var pause: Int { 4 }

  private let call: Called
  private let connection: TouchgridConnection
  private let handler: (Event) -> Void
  /// The event source, a descriptor or a timer, that triggers the next batch; nil before `start`.
  private var source: Source?
  private var isPaused = true

  /// - Parameters:
  ///   - path: The path of the daemon's socket.
  ///   - delay: The delay between attempts to connect.
  init(
    _ call: Called, path: String, delay: RetryDelay = RetryDelay(),
    _ handler: @escaping (Event) -> Void
  ) throws(TouchgridError) {
    self.call = call
    connection = try TouchgridConnection(path: path, opening: ConnectionOpening(), delay: delay)
    self.handler = handler
  }

  func start() { read() }

  private func read() {
    while let event = connection.next() { handle(event) }
    let isDone = readReplies()
    // Replies that the connection has already read do not make the descriptor readable, so a timer
    // triggers the next batch. The closures cannot outlive `self`, which owns the source.
    if !isDone {
      source = Source(afterMilliseconds: Self.pause) { [unowned self] in read() }
    } else if isPaused {
      source = Source(descriptor: connection.descriptor) { [unowned self] in read() }
    }
    isPaused = !isDone
  }

  private func handle(_ event: TouchgridConnection.Event) {
    switch event {
    case .connected:
      // If this fails, the connection itself reports its loss.
      guard (try? connection.start(call, more: true)) != nil else { return }
      handler(.connected)
    // The daemon has stopped or restarts; the next attempt to connect shows which.
    case .lost(.closed, _): handler(.lost(TouchgridClient.absenceAdvice(path: connection.path)))
    case .lost(_, let advice): handler(.lost(advice))
    case .refused(_, let advice): handler(.refused(advice))
    }
  }

  /// Reads and reports a batch.
  /// - Returns: Whether all replies that have arrived are read; true if there is no connection.
  private func readReplies() -> Bool {
    guard connection.isConnected else { return true }
    do throws(TouchgridError) {
      for _ in 0..<Self.batch {
        guard let (reply, continues) = try connection.receive(Called.self) else { return true }
        handler(.reply(reply))
        guard continues else { throw .closed }
      }
      return false
    } catch {
      connection.drop(error)
      return true
    }
  }
}
