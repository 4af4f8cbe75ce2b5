internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// Handles followers, and the names that remain when their connections close.
extension Service {
  func follow(_ call: Call) throws(VarlinkError) {
    try handle(API.Follow.self, call) { _ in
      followers.add(call.id.connection)
      return API.NoReply()
    }
  }

  func forgetDueFollowers(at moment: Moment) {
    guard let deadline = followers.nextDeadline, deadline <= moment.boottime else { return }
    forget(followers.takeDue(at: moment.boottime) + followers.takeKept(), at: moment)
  }

  /// Checks the kept followers again, because some masks may have been removed.
  func forgetKeptFollowers(at moment: Moment) { forget(followers.takeKept(), at: moment) }

  private func forget(_ gone: some Sequence<ConnectionID>, at moment: Moment) {
    for connection in gone {
      let (displays, isForgotten) = capture.recorder.forgetNames(
        of: ClientID(connection.token), at: moment)
      if !isForgotten { followers.keep(connection) }
      for display in displays {
        log.info(
          .client, kind: "unfollowed",
          "the follower of \(display.printable()) has disconnected; its screen is "
            + "\(SessionRecorder.initialScreen) until a client names one")
      }
    }
  }
}
