internal import LinuxIO
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// A call of `WatchCovers` that is in progress.
struct CoverWatcher {
  var peer: PeerCredentials
  /// What the client knows.
  var sent: API.WatchCovers.Reply
}

/// The methods for touches that are kept from the app.
extension Service {
  func watchCovers(
    _: API.WatchCovers, _ call: Call, _: Moment
  ) throws(VarlinkError) -> API.WatchCovers.Reply? {
    guard call.wantsMore else { throw .expectedMore }
    let covers = covers
    coverWatchers[call.id] = CoverWatcher(peer: call.peer, sent: covers)
    send(EncodedReply(covers, continues: true), to: call.id)
    return nil
  }

  func suspendGuard(
    _: API.SuspendGuard, _ call: Call, _: Moment
  ) throws(VarlinkError) -> API.NoReply? {
    guard call.wantsMore else { throw .expectedMore }
    guardSuspensions[call.id] = call.peer
    send(EncodedReply(API.NoReply(), continues: true), to: call.id)
    return nil
  }

  /// Whether there may be changes that the clients have not received.
  var hasCoverNews: Bool {
    !coverWatchers.isEmpty && coversRevision != capture.recorder.revision
  }

  /// Sends the clients the covers, if these or the displays have changed.
  /// - Returns: whether anything was sent.
  func publishCovers() -> Bool {
    guard hasCoverNews else { return false }
    coversRevision = capture.recorder.revision
    let covers = covers
    var hasNews = false
    for (call, watcher) in coverWatchers where watcher.sent != covers {
      coverWatchers[call]?.sent = covers
      send(EncodedReply(covers, continues: true), to: call)
      hasNews = true
    }
    return hasNews
  }

  private var covers: API.WatchCovers.Reply {
    let displays = displays().map { display in
      API.CoveredDisplay(
        name: display.name, width: display.geometry.width, height: display.geometry.height,
        covers: capture.recorder.covers.filter { $0.lies(on: display.name) }.map {
          API.Rectangle($0.rectangle)
        })
    }
    return API.WatchCovers.Reply(
      displays: displays, isGuardSuspended: !guardSuspensions.isEmpty)
  }

  func swallow(
    _ wish: API.Swallow, _ call: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.NoReply? {
    let display = try wish.display.map { text throws(VarlinkError) in try name(text, "display") }
    if let until = wish.untilAtUs, until < wish.sinceAtUs {
      throw invalid("untilAtUs", "\(until)", "must be sinceAtUs or later")
    }
    let span = SwallowedSpan(
      client: ClientID(call.id.connection.token), display: display,
      from: Timestamp(microseconds: wish.sinceAtUs),
      until: wish.untilAtUs.map(Timestamp.init(microseconds:)), isUse: wish.isUse)
    guard capture.recorder.swallow(span, at: moment) else {
      throw API.LimitReached(
        "spans", limit: SwallowedSpan.limit, hint: "end some, or close connections"
      ).varlinkError
    }
    return API.NoReply()
  }
}
