import LinuxIO
import TouchgridAPI

/// Live touches of a daemon. If the daemon restarts, it reconnects.
final class TouchStream {
  enum Event {
    case frame(API.WatchTouches.Reply)
    /// The connection to the daemon was lost. The value says why and what to do.
    case lost(Failure)
    case found
    /// There is no event until the descriptor is readable.
    case nothing
  }

  private let connection: TouchgridConnection
  /// Whether to report the next loss of the connection. False from a loss until the next
  /// connection, so that failed attempts to connect are not reported.
  private var isLossNews = true

  /// - Parameter path: the path of the daemon's socket.
  init(path: String) throws(Failure) {
    do throws(TouchgridError) {
      connection = try TouchgridConnection(
        path: path, opening: ConnectionOpening(), delay: RetryDelay(shortest: 100, longest: 2000))
    } catch {
      throw Failure(error, path: path)
    }
  }

  /// Connects.
  /// - Throws: an error that says what to do if no daemon answers.
  func begin() throws(Failure) {
    switch try next() {
    case .found: break
    case .lost(let reason): throw reason
    case .frame, .nothing: throw Failure(.timedOut, path: connection.path)
    }
  }

  /// Waits for the first frame.
  /// - Throws: an error that says what to do if this user may not watch, or if the daemon does not
  ///   answer within 10 s.
  func first() throws(Failure) -> API.WatchTouches.Reply {
    do throws(TouchgridError) {
      guard let answer = try connection.receive(API.WatchTouches.self, within: .seconds(10)) else {
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
  /// - Throws: an error if the daemon does not let this user watch.
  func next() throws(Failure) -> Event {
    while let event = connection.next() {
      switch event {
      case .connected:
        // If the call fails, the next event of the connection is its loss.
        guard (try? connection.start(API.WatchTouches(), more: true)) != nil else { continue }
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
      guard let (reply, continues) = try connection.receive(API.WatchTouches.self) else {
        return .nothing
      }
      if !continues { connection.drop(.closed) }
      return .frame(reply)
    } catch {
      connection.drop(error)
      return try next()
    }
  }
}
