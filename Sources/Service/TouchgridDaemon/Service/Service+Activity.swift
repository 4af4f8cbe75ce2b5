internal import LinuxIO
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// A call of `WatchActivity` that is in progress.
struct ActivityWatcher {
  var peer: PeerCredentials
  /// The time without a touch after which the client is idle, in µs.
  var idleAfter: Int64
  /// The state that the client knows.
  var sent: Activity.State?
}

/// The method `WatchActivity`, which reports whether the touchscreens are in use.
extension Service {
  func watchActivity(
    _ wish: API.WatchActivity, _ call: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.WatchActivity.Reply? {
    guard call.wantsMore else { throw .expectedMore }
    let range = API.WatchActivity.idleRange
    guard range.contains(wish.idleAfterMs) else {
      throw invalid(
        "idleAfterMs", "\(wish.idleAfterMs)",
        "must be \(range.lowerBound) to \(range.upperBound)")
    }
    var watcher = ActivityWatcher(peer: call.peer, idleAfter: wish.idleAfterMs * 1000)
    watcher.sent = state(for: watcher, at: moment)
    activityWatchers[call.id] = watcher
    var first = reply(watcher.sent, at: moment)
    // The start of an active state depends on the client's limit, and this client has only just
    // connected.
    if first.state == .active { first.sinceAtMs = nil }
    send(EncodedReply(first, continues: true), to: call.id)
    return nil
  }

  /// Sends each client its new state, if it has changed.
  /// - Returns: whether any state was sent.
  func publishActivity(at moment: Moment) -> Bool {
    var hasNews = false
    for (call, watcher) in activityWatchers {
      let state = state(for: watcher, at: moment)
      guard state != watcher.sent else { continue }
      activityWatchers[call]?.sent = state
      send(EncodedReply(reply(state, at: moment), continues: true), to: call)
      hasNews = true
    }
    return hasNews
  }

  /// The time at which the next client becomes idle if there is no touch before, on
  /// `CLOCK_BOOTTIME`. nil while a finger is down, and if all clients are idle: then only a touch
  /// changes their state.
  var nextIdleTime: Timestamp? {
    var first: Timestamp?
    for watcher in activityWatchers.values where watcher.sent != .idle {
      let time = capture.recorder.idleTime(
        idleAfter: watcher.idleAfter, since: started.boottime)
      first = .first(first, time)
    }
    return first
  }

  private func state(for watcher: ActivityWatcher, at moment: Moment) -> Activity.State? {
    capture.recorder.activityState(
      idleAfter: watcher.idleAfter, since: started.boottime, at: moment.boottime)
  }

  private func reply(_ state: Activity.State?, at moment: Moment) -> API.WatchActivity.Reply {
    let since: Timestamp? =
      switch state {
      case nil: nil
      case .active: moment.boottime
      case .idle: capture.recorder.activity.lastSpanEnd ?? started.boottime
      }
    let wall = since.map { moment.wall.milliseconds - (moment.boottime - $0) / 1000 }
    return API.WatchActivity.Reply(state: state, sinceAtMs: wall)
  }
}
