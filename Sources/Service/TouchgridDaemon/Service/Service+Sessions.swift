internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// The methods for sessions and pauses.
extension Service {
  func beginSession(
    _ wish: API.BeginSession, _: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.BeginSession.Reply? {
    let wished = wish.tags ?? [:]
    let tags = try tagging(wished) { () throws(TagError) in try SessionTags.checked(wished) }
    try spend("sessions begun in a minute", &begun, at: moment)
    let session = try tagging(tags) { () throws(TagError) in
      try capture.recorder.beginSession(tags: tags, at: moment)
    }
    capture.advance(to: moment)
    return API.BeginSession.Reply(session: session)
  }

  func endSession(
    _: API.EndSession, _: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.EndSession.Reply? {
    guard let session = capture.recorder.current else { throw API.NoSession().varlinkError }
    capture.recorder.endSession(.client, at: moment)
    capture.advance(to: moment)
    return API.EndSession.Reply(session: session)
  }

  func tagSession(
    _ wish: API.TagSession, _: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.TagSession.Reply? {
    let session = try tagging(wish.tags) { () throws(TagError) in
      try capture.recorder.tagSession(wish.tags, at: moment)
    }
    guard let session else { throw API.NoSession().varlinkError }
    return API.TagSession.Reply(session: session)
  }

  func tagging<Result>(
    _ wish: [String: String], _ body: () throws(TagError) -> Result
  ) throws(VarlinkError) -> Result {
    do throws(TagError) { return try body() } catch {
      switch error {
      case .tooMany(let limit):
        throw API.LimitReached("tags", limit: limit, hint: "set fewer").varlinkError
      case .badKey(let key, let limit):
        throw invalid("tags", key, "must have keys of 1 to \(limit) bytes of printable text")
      case .badValue(let key, let limit):
        throw invalid(
          "tags", wish[key] ?? "",
          "must have at most \(limit) bytes of printable text for the key \(key.printable())")
      }
    }
  }

  // MARK: Pauses

  func pause(
    _ wish: API.Pause, _ call: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.Pause.Reply? {
    var end: Timestamp?
    if let duration = wish.durationMs {
      guard (1...Pauses.maxDuration).contains(duration) else {
        throw invalid("durationMs", "\(duration)", "must be 1 to \(Pauses.maxDuration)")
      }
      end = moment.boottime + duration * 1000
    }
    let former = pauses.begin(
      call.id.connection, until: end, waiting: call.wantsMore ? call.id : nil)
    guard let former else {
      throw API.LimitReached("pauses", limit: Pauses.limit, hint: "end one of them").varlinkError
    }
    self.end(former, at: moment)
    if !capture.recorder.isPaused {
      capture.recorder.pause(at: moment)
      log.info(.client, kind: "pause", "recording is paused")
    }
    send(EncodedReply(API.Pause.Reply(isPaused: true), continues: call.wantsMore), to: call.id)
    return nil
  }

  /// Replies to the calls that waited for the end of a pause, and resumes recording if no pause
  /// remains.
  /// - Parameter waiting: the calls that waited for pauses that have now ended.
  func end(_ waiting: [CallID], at moment: Moment) {
    for call in waiting {
      send(EncodedReply(API.Pause.Reply(isPaused: !pauses.isEmpty)), to: call)
    }
    guard pauses.isEmpty, capture.recorder.isPaused else { return }
    capture.recorder.resume(at: moment)
    log.info(.client, kind: "resume", "recording has resumed")
  }

  func endDuePauses(at moment: Moment) {
    if !pauses.isEmpty { end(pauses.endDue(at: moment.boottime), at: moment) }
  }
}
