internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// Handles followers, and the names of screens that remain when their connections close.
extension Service {
  func forgetDueFollowers(at moment: Moment) {
    guard let deadline = followers.nextDeadline, deadline <= moment.boottime else { return }
    forget(followers.takeDue(at: moment.boottime) + followers.takeKept(), at: moment)
  }

  /// Checks again the disconnected followers whose masked screens are still shown. Call it when
  /// masks have changed.
  func forgetKeptFollowers(at moment: Moment) { forget(followers.takeKept(), at: moment) }

  private func forget(_ gone: some Sequence<ConnectionID>, at moment: Moment) {
    for connection in gone {
      let (displays, isForgotten) = capture.recorder.forgetNames(
        of: ClientID(connection.token), at: moment)
      if !isForgotten { followers.markStillShown(connection) }
      for display in displays {
        log.info(
          .client, kind: "unfollowed",
          "the follower of \(display.printable()) has disconnected; the screen there is "
            + "\"\(SessionRecorder.initialScreen)\" until a client names one")
      }
    }
  }
}

/// Tracks the connections of followers, and the validity of the screens that they have named.
struct Followers {
  /// The time for which names remain valid after their connection has closed, in µs, so that a
  /// restarted follower can name the screens again.
  static let grace: Int64 = 2_000_000

  private var connections: Set<ConnectionID> = []
  /// The closed connections, and the times at which their names become invalid, on
  /// `CLOCK_BOOTTIME`.
  private var leaving: [ConnectionID: Timestamp] = [:]
  /// Closed connections that named a screen that is still shown because it has a mask.
  private var kept: Set<ConnectionID> = []

  /// The number of followers that are connected.
  var count: Int { connections.count }

  mutating func add(_ connection: ConnectionID) { connections.insert(connection) }

  mutating func remove(_ connection: ConnectionID, at time: Timestamp) {
    if connections.remove(connection) != nil { leaving[connection] = time + Self.grace }
  }

  /// The time on `CLOCK_BOOTTIME` when `takeDue` next returns a connection; nil if none is leaving.
  var nextDeadline: Timestamp? { leaving.values.min() }

  /// Returns and removes the closed connections whose names have become invalid.
  mutating func takeDue(at time: Timestamp) -> [ConnectionID] {
    let due = leaving.filter { $0.value <= time }.map(\.key)
    for connection in due { leaving[connection] = nil }
    return due
  }

  /// Records that a screen named by this closed connection is still shown.
  mutating func markStillShown(_ connection: ConnectionID) { kept.insert(connection) }

  /// Returns and removes the connections noted by `markStillShown`.
  mutating func takeKept() -> Set<ConnectionID> {
    defer { kept = [] }
    return kept
  }
}
