internal import Storage
internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

extension Service {
  func forget(
    _ wish: API.Forget, _ call: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.Forget.Reply? {
    let what = try forgetting(wish)
    // First end and submit the affected running sessions, so that none of their data reaches the
    // store after the deletion.
    let limit = capture.recorder.closeForForgetting(at: moment) { id, began in
      what.concerns(id, began: began)
    }
    capture.advance(to: moment)
    try forget(call, what, below: limit) { [log] result in
      switch result {
      case .success(let forgotten):
        if let error = forgotten.notErased {
          log.warning(
            .store, "forgotten, not erased: \(error.fact). \(Forgotten.notErasedAdvice)")
        }
        log.info(
          .store, kind: "forgot",
          "forgot " + counted(forgotten.sessions, "session") + " of "
            + counted(forgotten.days, "day") + " with "
            + counted(forgotten.touches, "touch", "touches"))
        if let session = wish.session, forgotten.sessions == 0 {
          return EncodedReply(API.NoSuchSession(session).varlinkError)
        }
        return EncodedReply(API.Forget.Reply(forgotten))
      case .failure(let error):
        log.warning(.store, kind: "not forgotten", "\(error)")
        return EncodedReply(API.StoreFailed(error).varlinkError)
      }
    }
    log.info(.client, kind: "forget", "forgetting \(what.words)")
    return nil
  }

  private func forgetting(_ wish: API.Forget) throws(VarlinkError) -> ForgetSelection {
    switch (wish.span, wish.session) {
    case (nil, let session?): return .session(session)
    case (let span?, nil): return .span(try self.span(span))
    case (nil, nil):
      throw invalid(
        "span", "null", "must be given unless session is; an empty span selects all sessions")
    case (_?, let session?):
      throw invalid("session", "\(session)", "cannot be combined with span")
    }
  }
}

extension ForgetSelection {
  fileprivate func concerns(_ id: Int64, began: WallTime) -> Bool {
    switch self {
    case .span(let span): span.contains(began)
    case .session(let session): session == id
    }
  }

  fileprivate var words: String {
    switch self {
    case .span: "the sessions that began in the requested span"
    case .session(let id): "session \(id)"
    }
  }
}

extension API.Forget.Reply {
  fileprivate init(_ forgotten: Forgotten) {
    self.init(
      sessions: Int64(clamping: forgotten.sessions), touches: Int64(clamping: forgotten.touches),
      days: Int64(clamping: forgotten.days), notErased: forgotten.notErased.map { "\($0.fact)." })
  }
}
