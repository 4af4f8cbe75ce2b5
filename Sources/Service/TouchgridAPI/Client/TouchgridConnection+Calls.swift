internal import Glibc
internal import LinuxIO

/// For apps with an event loop.
extension TouchgridConnection {
  /// Whether the daemon is connected, and every mask is in place.
  public var isConnected: Bool {
    if case .connected = state { true } else { false }
  }

  /// Whether the daemon is connected, but has not yet answered all the calls that open a
  /// connection.
  package var isOpening: Bool {
    if case .opening = state { true } else { false }
  }

  /// Sends a call; ``receive(_:within:)`` returns its replies. Only one call at a time may be in
  /// progress. If it has no answer within the timeout, the connection is lost.
  /// - Parameters:
  ///   - method: the call.
  ///   - more: whether the daemon may send several replies. There is no timeout then.
  /// - Throws: `.closed` if there is no connection. `.system` with `EBUSY` if a call is in
  ///   progress. `.fault` with ``API/LimitReached`` for `Pause` and `Resume` while there are
  ///   ``missingMasks``. After any other error, the connection is lost, which ``next()`` reports,
  ///   too.
  public func start<M: Method>(_ method: M, more: Bool = false) throws(TouchgridError) {
    guard isConnected else { throw .closed }
    guard !isAwaiting else { throw .system(code: EBUSY, text: "another call is under way") }
    // Recording is paused because a mask is missing. An app's own `Pause` or `Resume` would end
    // that pause.
    if masking.isPaused, let limit = masking.limit, method is API.Pause || method is API.Resume {
      throw .fault(limit)
    }
    do throws(TouchgridError) {
      try send(method, more: more)
    } catch {
      drop(error)
      throw error
    }
  }

  /// Returns the next reply to the call that `start` has sent. Replies that were read together with
  /// an earlier one do not make the descriptor readable, so call it until it returns nil.
  /// - Parameters:
  ///   - method: the type of the method that was called.
  ///   - limit: the longest wait.
  /// - Returns: the reply, and whether more replies follow. nil if none arrived within `limit`.
  /// - Throws: `.fault` or `.unknown` for an error that the daemon answers with. The connection
  ///   stays open then, except after `TooManyClients`, `TooSlow` and `MalformedMessage`. After
  ///   these, and after any other error, it is lost, which ``next()`` reports, too.
  public func receive<M: Method>(
    _ method: M.Type, within limit: Duration = .zero
  ) throws(TouchgridError) -> (reply: M.Reply, continues: Bool)? {
    guard isConnected else { throw .closed }
    do throws(TouchgridError) {
      return try read(method, within: limit)
    } catch {
      if error.endsConnection { drop(error) }
      throw error
    }
  }
}

/// For apps without an event loop.
extension TouchgridConnection {
  /// Reports that the app shows another screen from now on. Call it just before the screen appears.
  ///
  /// Waits for the answer, and connects first if there is no connection.
  /// - Parameters:
  ///   - screen: the name of the screen: 1 to 128 bytes of printable UTF-8.
  ///   - display: the name of the display that shows it; nil for all displays.
  public func show(_ screen: String, on display: String? = nil) throws(TouchgridError) {
    let now = Clocks.monotonic
    try withinTimeout { () throws(TouchgridError) in
      do throws(TouchgridError) {
        try call(API.SetScreen(name: screen, display: display, changedAtUs: now))
      } catch {
        // The daemon answered too late to accept the time. Without it, the screen changes now.
        guard error.as(API.TooLate.self) != nil else { throw error }
        try call(API.SetScreen(name: screen, display: display))
      }
    }
  }

  /// Calls a method that has one reply, and waits for the reply.
  ///
  /// Connects first if there is no connection. If the connection turns out to be lost, for example
  /// because the daemon was restarted, connects again and sends the call once more.
  ///
  /// A new connection first restores the state of the last one: it begins the pause again, sets the
  /// controls and names the screens.
  @discardableResult
  public func call<M: Method>(_ method: M) throws(TouchgridError) -> M.Reply {
    // Record it before the call, because the app shows the screen even if the daemon cannot be
    // reached now.
    restored.note(method)
    return try withinTimeout { () throws(TouchgridError) in
      let isNew = try connect(for: method)
      do throws(TouchgridError) {
        return try answer(to: method)
      } catch {
        guard !isNew, error.isLoss else { throw error }
      }
      try connect(for: method)
      return try answer(to: method)
    }
  }

  /// - Returns: whether the connection is new.
  @discardableResult
  private func connect(for method: some Method) throws(TouchgridError) -> Bool {
    // `next` detects whether the daemon has closed the connection.
    if isConnected { _ = next() }
    if isConnected {
      if masking.isPaused { try addMissingMasks() }
      return false
    }
    connectSoon()
    while true {
      switch next() {
      case .connected:
        do throws(TouchgridError) {
          try restore(before: method)
        } catch {
          // A connection that is kept would not be restored again: its calls would lack the pause.
          drop(error)
          throw error
        }
        return true
      case .lost(let error, _), .refused(let error, _): throw error
      // If the daemon does not answer, the timer ends this wait.
      case nil: try wait()
      }
    }
  }

  /// Tries to add the masks that the daemon had no room for. When all are in place, ends the pause
  /// that replaced them, or begins the app's own pause instead.
  private func addMissingMasks() throws(TouchgridError) {
    for mask in masking.refused {
      do throws(TouchgridError) {
        _ = try answer(to: API.AddMask(mask: mask))
      } catch {
        guard error.as(API.LimitReached.self) != nil else { throw error }
        return
      }
      masking.refused.removeFirst()
    }
    (masking.isPaused, masking.limit) = (false, nil)
    if let pause = restored.pause {
      _ = try answer(to: pause)
    } else {
      _ = try answer(to: API.Resume())
    }
  }

  /// Begins the pause again, sets the controls and names the screens, unless the call that follows
  /// does so.
  private func restore(before method: some Method) throws(TouchgridError) {
    if let pause = restored.pause, !masking.isPaused, !(method is API.Pause) {
      _ = try answer(to: pause)
    }
    let list = method as? API.SetControls
    for controls in restored.controls
    where list?.screen != controls.screen || list?.display != controls.display {
      try attempt(controls)
    }
    let next = method as? API.SetScreen
    for screen in restored.screens where next == nil || next?.display != screen.display {
      try attempt(screen)
    }
  }

  /// Repeats a call of the restoration. The daemon may refuse it now, which must not make every
  /// other call fail.
  private func attempt(_ method: some Method) throws(TouchgridError) {
    do throws(TouchgridError) {
      _ = try answer(to: method)
    } catch {
      if error.endsConnection { throw error }
    }
  }

  private func answer<M: Method>(to method: M) throws(TouchgridError) -> M.Reply {
    try start(method)
    if let answer = try receive(M.self, within: remaining) { return answer.reply }
    drop(.timedOut)
    throw .timedOut
  }
}

extension TouchgridConnection {
  /// Sends a call, even while the connection is being opened. Does not drop the connection on an
  /// error.
  func send(_ method: some Method, more: Bool = false) throws(TouchgridError) {
    try client?.start(method, more: more)
    (isAwaiting, isOverdue) = (true, false)
    setTimer(after: more ? nil : remaining.milliseconds)
  }

  /// Reads a reply, even while the connection is being opened. Does not drop the connection on an
  /// error.
  /// - Returns: nil if no reply arrived within `limit`.
  func read<M: Method>(
    _ method: M.Type, within limit: Duration
  ) throws(TouchgridError) -> (reply: M.Reply, continues: Bool)? {
    do throws(TouchgridError) {
      guard let answer = try client?.receive(method, within: limit) else { return nil }
      if !answer.continues { endCall() }
      if isConnected { recordAnswer() }
      return answer
    } catch {
      endCall()
      throw error
    }
  }

  private func endCall() {
    (isAwaiting, isOverdue) = (false, false)
    setTimer(after: nil)
  }

  /// Reads data that the daemon sends while no call is in progress: the error with which it ends
  /// the connection, or end of file. Both drop the connection.
  func readEnd() {
    do throws(TouchgridError) {
      _ = try client?.receive(API.Follow.self, within: .zero)
    } catch {
      drop(error)
    }
  }
}

extension TouchgridError {
  /// Whether the call may succeed on a new connection, because the old one failed or was closed.
  fileprivate var isLoss: Bool {
    switch self {
    case .system, .closed: true
    case .timedOut, .malformed, .fault, .unknown: false
    }
  }

  /// Whether the connection cannot be used for further calls.
  fileprivate var endsConnection: Bool {
    switch self {
    case .system, .closed, .timedOut, .malformed: true
    case .fault(let fault):
      fault is API.TooManyClients || fault is API.TooSlow || fault is API.MalformedMessage
    case .unknown: false
    }
  }
}

extension Duration {
  /// The duration in ms, at most a day.
  var milliseconds: Int {
    let part = min(max(self, .zero), .seconds(86_400)).components
    return Int(part.seconds * 1000 + part.attoseconds / 1_000_000_000_000_000)
  }
}
