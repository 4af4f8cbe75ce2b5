import LinuxIO
import TouchgridAPI
import Varlink

/// Live touches of a daemon. If the daemon restarts, it reconnects.
final class ReconnectingTouchStream {
  enum Event {
    case frame(API.WatchTouches.Reply)
    /// The connection to the daemon was lost, and the reason.
    case lost(Failure)
    case found
    /// There is no event now. Ask again after this many milliseconds; nil: when the descriptor is
    /// readable.
    case nothing(Int32?)
  }

  /// The range of the pause between two attempts to connect, in ms. The pause doubles with each
  /// attempt.
  static let pauses: ClosedRange<Int32> = 100...2000

  private let path: String
  private var client: TouchgridClient?
  private var pause = ReconnectingTouchStream.pauses.lowerBound
  private var retryAt: Int64 = 0
  private var isGreeted = true

  /// - Parameter path: the path of the daemon's socket.
  init(path: String) { self.path = path }

  /// Connects and returns the first frame.
  /// - Throws: an error that says what to do if no daemon answers, or if this user may not watch.
  func begin() throws(Failure) -> API.WatchTouches.Reply {
    do throws(ClientError) {
      client = try connect()
      guard let first = try client?.receive(API.WatchTouches.self, within: .seconds(10)) else {
        throw ClientError.timedOut
      }
      return first.reply
    } catch {
      throw Failure(error, path: path)
    }
  }

  /// The connection, readable when an event may have come; -1 while there is no connection.
  var descriptor: Int32 {
    guard client != nil else { return -1 }
    return client?.descriptor ?? -1
  }

  /// Returns the next event without waiting.
  /// - Throws: an error if the daemon no longer lets this user watch.
  func next() throws(Failure) -> Event {
    guard client != nil else { return try retry() }
    do throws(ClientError) {
      guard let (reply, continues) = try client?.receive(API.WatchTouches.self, within: .zero)
      else { return .nothing(nil) }
      if !continues { throw ClientError.closed }
      if !isGreeted {
        // Only a daemon that answers counts as back.
        isGreeted = true
        pause = Self.pauses.lowerBound
      }
      return .frame(reply)
    } catch {
      client = nil
      wait()
      if case .remote(let fault) = error, fault.name == API.NotPermitted.name {
        throw Failure(error, path: path)
      }
      return .lost(Failure(error, path: path))
    }
  }

  private func connect() throws(ClientError) -> TouchgridClient {
    var client = try TouchgridClient(path: path)
    try client.start(API.WatchTouches())
    return client
  }

  private func retry() throws(Failure) -> Event {
    let now = Clocks.monotonic
    guard now >= retryAt else { return .nothing(Int32(clamping: (retryAt - now + 999) / 1000)) }
    do throws(ClientError) {
      client = try connect()
      isGreeted = false
      return .found
    } catch {
      wait()
      return .nothing(pause)
    }
  }

  private func wait() {
    retryAt = Clocks.monotonic + Int64(pause) * 1000
    pause = min(pause * 2, Self.pauses.upperBound)
  }
}
