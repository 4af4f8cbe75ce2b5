import LinuxIO
import TouchgridAPI
import Varlink

/// Live touches, also of a daemon that restarts.
final class TouchSource {
  enum Event {
    case frame(API.WatchTouches.Reply)
    /// The daemon has gone; why.
    case lost(Failure)
    case found
    /// Nothing for now; milliseconds after which to ask again (nil: when the descriptor is readable).
    case nothing(Int32?)
  }

  /// Milliseconds between two attempts: each waits twice as long as the one before.
  static let pauses: ClosedRange<Int32> = 100...2000

  private let path: String
  private var client: TouchgridClient?
  private var pause = TouchSource.pauses.lowerBound
  private var retryAt: Int64 = 0
  private var isGreeted = true

  /// - Parameter path: of the daemon's socket.
  init(path: String) { self.path = path }

  /// The first frame.
  /// - Throws: what to do where no daemon answers, or where this user may not watch.
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

  /// Readable when there may be more; -1 while there is no daemon.
  var descriptor: Int32 {
    guard client != nil else { return -1 }
    return client?.descriptor ?? -1
  }

  /// Waits for nothing.
  /// - Throws: where the daemon is there, and will not let us watch any more.
  func next() throws(Failure) -> Event {
    guard client != nil else { return try retry() }
    do throws(ClientError) {
      guard let (reply, continues) = try client?.receive(API.WatchTouches.self, within: .zero)
      else { return .nothing(nil) }
      if !continues { throw ClientError.closed }
      if !isGreeted {
        // Only a daemon that answers is back.
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
