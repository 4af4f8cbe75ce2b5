import Foundation
import TouchgridAPI
import Varlink

/// Tells Touchgrid what the app shows. If Touchgrid is missing, stopped or restarted, the app goes
/// on.
struct Touchgrid: ~Copyable {
  /// The masks. They are added on each connection, because a restarted daemon knows only the masks
  /// of its configuration.
  var masks: [API.Mask] = []
  private let path: String
  private var client: TouchgridClient?

  init(path: String) { self.path = path }

  /// Reports the next screen. Call this just before the screen appears.
  mutating func show(_ screen: String) {
    // Touches are timed by this clock.
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    call(API.SetScreen(name: screen, changedAtUs: microseconds))
  }

  /// - Returns: The reply; nil if the call failed. The reason is printed on standard error.
  @discardableResult
  mutating func call<M: Method>(_ method: M) -> M.Reply? {
    do throws(ClientError) {
      return try reply(to: method)
    } catch {
      FileHandle.standardError.write(Data("touchgrid: \(error)\n".utf8))
      return nil
    }
  }

  private mutating func reply<M: Method>(to method: M) throws(ClientError) -> M.Reply {
    do throws(ClientError) {
      if let reply = try client?.call(method) { return reply }
    } catch {
      if case .remote = error { throw error }
      // The connection is lost: the daemon may have been restarted.
      client = nil
    }
    var fresh = try TouchgridClient(path: path, timeout: .seconds(1))
    for mask in masks { _ = try fresh.call(API.AddMask(mask: mask)) }
    let reply = try fresh.call(method)
    client = consume fresh
    return reply
  }
}
