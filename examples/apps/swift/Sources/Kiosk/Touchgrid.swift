import Foundation
import TouchgridAPI
import Varlink

/// Tells Touchgrid what the app shows. Where Touchgrid is missing, stopped or restarted, the app goes on.
struct Touchgrid: ~Copyable {
  /// Added anew on every connection: a restarted daemon knows only those of its configuration.
  var masks: [API.Mask] = []
  private let path: String
  private var client: TouchgridClient?

  init(path: String) { self.path = path }

  /// Call it just before the screen appears.
  mutating func show(_ screen: String) {
    // By this clock touches are timed.
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    call(API.SetScreen(name: screen, changedAtUs: microseconds))
  }

  /// - Returns: nil where it did not work; why stands on the standard error.
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
      // That connection is of no use any more: the daemon may have been restarted.
      client = nil
    }
    var fresh = try TouchgridClient(path: path, timeout: .seconds(1))
    for mask in masks { _ = try fresh.call(API.AddMask(mask: mask)) }
    let reply = try fresh.call(method)
    client = consume fresh
    return reply
  }
}
