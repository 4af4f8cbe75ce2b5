import LinuxIO
import TouchgridAPI

/// Live touches of a daemon.
typealias TouchStream = ReplyStream<API.WatchTouches>

extension TouchStream {
  /// - Parameter path: the path of the daemon's socket.
  convenience init(path: String) throws(Failure) {
    try self.init(API.WatchTouches(), path: path)
  }
}

/// The replies to a call that lasts as long as its connection. If the daemon restarts, it
/// reconnects and calls again.
final class ReplyStream<Called: Method> {
  enum Event {
    case reply(Called.Reply)
    /// The connection to the daemon was lost. The value has the reason and the remedy.
    case lost(Failure)
    case found
    /// There is no event until the descriptor is readable.
    case nothing
  }

  private let call: Called
  private let connection: TouchgridConnection
  /// Whether to report the next loss of the connection. False from a loss until the next
  /// connection, so that failed attempts to connect are not reported.
  private var isLossNews = true

  /// - Parameter path: the path of the daemon's socket.
  init(_ call: Called, path: String) throws(Failure) {
    self.call = call
    do throws(TouchgridError) {
      connection = try TouchgridConnection(
        path: path, opening: ConnectionOpening(), delay: RetryDelay(shortest: 100, longest: 2000))
    } catch {
      throw Failure(error, path: path)
    }
  }

  /// Connects.
  /// - Throws: an error with the remedy if no daemon answers.
  func begin() throws(Failure) {
    switch try next() {
    case .found: break
    case .lost(let reason): throw reason
    case .reply, .nothing: throw Failure(.timedOut, path: connection.path)
    }
  }

  /// Waits for the first reply.
  /// - Throws: an error with the remedy if this user lacks the role, or if the daemon does not
  ///   answer within 10 s.
  func first() throws(Failure) -> Called.Reply {
    do throws(TouchgridError) {
      guard let answer = try connection.receive(Called.self, within: .seconds(10)) else {
        throw .timedOut
      }
      return answer.reply
    } catch {
      throw Failure(error, path: connection.path)
    }
  }

  /// A descriptor that is readable when there may be an event.
  var descriptor: Int32 { connection.descriptor }

  /// Returns the next event; `.nothing` if there is none yet.
  /// - Throws: an error if this user lacks the role, or if the daemon cannot answer the call.
  func next() throws(Failure) -> Event {
    while let event = connection.next() {
      switch event {
      case .connected:
        // If the call fails, the next event of the connection is its loss.
        guard (try? connection.start(call, more: true)) != nil else { continue }
        isLossNews = true
        return .found
      case .lost(let error, _):
        guard isLossNews else { continue }
        isLossNews = false
        return .lost(Failure(error, path: connection.path))
      case .refused(let error, _): throw Failure(error, path: connection.path)
      }
    }
    guard connection.isConnected else { return .nothing }
    do throws(TouchgridError) {
      guard let (reply, continues) = try connection.receive(Called.self) else {
        return .nothing
      }
      if !continues { connection.drop(.closed) }
      return .reply(reply)
    } catch {
      if Self.isFinal(error) { throw Failure(error, path: connection.path) }
      connection.drop(error)
      return try next()
    }
  }

  /// Whether the daemon would answer the same call with the same error again.
  private static func isFinal(_ error: TouchgridError) -> Bool {
    if case .unknown = error { return true }
    return error.as(API.InvalidValue.self) != nil
  }
}
