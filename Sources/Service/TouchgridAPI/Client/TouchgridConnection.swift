package import LinuxIO

/// A connection to the daemon that connects again by itself, and adds its masks before it does
/// anything else.
///
/// An app without an event loop uses ``show(_:on:)`` and ``call(_:)``. They connect when they have
/// to, wait for the answer, and find a daemon that was restarted.
///
/// An app with an event loop waits until ``descriptor`` is readable, and then calls ``next()``
/// until it returns nil. Nothing that it calls waits for the daemon. Once `next` has returned
/// ``Event/connected``, the app sends a call by ``start(_:more:)`` and reads the replies by
/// ``receive(_:within:)``:
///
///     while let event = connection.next() {
///       switch event {
///       case .connected: try connection.start(API.SetScreen(name: "menu"))
///       case .lost(_, let advice), .refused(_, let advice): print(advice)
///       }
///     }
///     if connection.isConnected { _ = try connection.receive(API.SetScreen.self) }
///
/// Use one of the two ways, not both: `call` and `show` report nothing through `next`.
///
/// If no daemon is there, further attempts follow after 0.1 s to 5 s, and at once when the socket
/// appears. After some time only the socket counts, so a missing daemon causes no wake-ups.
///
/// What the daemon ties to a connection ends with it: a pause, and with `follows` the screen. `call`
/// and `show` bring both back on the next connection. With an event loop, do so after
/// ``Event/connected``.
///
/// A connection belongs to one thread.
public final class TouchgridConnection {
  /// A change of the connection.
  public enum Event: Sendable {
    /// The daemon is connected, and every mask is in place. The daemon does not know yet what is
    /// shown.
    case connected
    /// There is no connection, and further attempts follow. `advice` is one line for a person.
    case lost(TouchgridError, advice: String)
    /// The user lacks a role. No further attempts follow. `advice` is one line for a person: what
    /// to do.
    case refused(TouchgridError, advice: String)
  }

  enum State {
    /// The connection has failed; `next` reports it.
    case failed(TouchgridError)
    /// Waits for the timer or for the socket. Without a timer, only the socket ends the wait.
    case waiting
    /// The socket has appeared; the timer connects.
    case settling
    /// Is connected, and adds the masks.
    case opening(ConnectionOpening)
    case connected
    case refused
  }

  private enum Token {
    static let timer: UInt64 = 1
    static let socket: UInt64 = 2
    static let arrivals: UInt64 = 3
  }

  /// How long to wait after the socket appears, in ms: the daemon does not listen on it right away.
  private static let settling = 50

  /// The path of the daemon's socket.
  package let path: String
  let timeout: Duration
  /// How each connection begins.
  private let opening: ConnectionOpening
  private var poller: Poller
  private var timer: BootTimer
  private var delay: RetryDelay
  /// The watch for a new socket, kept from one attempt to the next while there is no connection, so
  /// that no new socket is missed.
  private var arrivals: ArrivalWatch?
  private(set) var state = State.settling
  var client: TouchgridClient?
  /// Whether the last reply to the current call has not come yet.
  var isAwaiting = false
  /// Whether the current call has missed its time-out once, although something had come.
  var isOverdue = false
  /// The screens that `show` has named, by display, and the pause that `call` has begun.
  var restored = RestoredState()
  /// What the daemon has answered to the opening of the current connection.
  package internal(set) var masking = ConnectionMasking()

  /// Creates a connection. The first call of `next`, `call` or `show` connects.
  /// - Parameters:
  ///   - path: the path of the daemon's socket.
  ///   - masks: all masks of the app. They are added on each connection, because a restarted daemon
  ///     knows only those of its configuration. A connection whose masks the daemon refuses counts
  ///     as lost, so that nothing is named without them. If it only has no room for them
  ///     (``API/LimitReached``), nothing is recorded as long as the connection lives;
  ///     ``missingMasks`` has those masks.
  ///   - follows: whether the screens that are named hold only as long as the connection
  ///     (``API/Follow``).
  ///   - timeout: how long the daemon may take to answer a call.
  /// - Throws: `TouchgridError.system` if the process has no descriptors left.
  public convenience init(
    path: String = TouchgridClient.standardPath, masks: [API.Mask] = [], follows: Bool = false,
    timeout: Duration = .seconds(1)
  ) throws(TouchgridError) {
    try self.init(
      path: path, opening: ConnectionOpening(follows: follows, masks: masks), timeout: timeout)
  }

  /// - Parameter delay: the delay between two attempts.
  package init(
    path: String, opening: ConnectionOpening, timeout: Duration = .seconds(10),
    delay: RetryDelay = RetryDelay()
  ) throws(TouchgridError) {
    (self.path, self.opening, self.timeout, self.delay) = (path, opening, timeout, delay)
    do throws(SystemError) {
      poller = try Poller()
      timer = try BootTimer()
      try poller.add(timer.descriptor, token: Token.timer)
    } catch {
      throw TouchgridError(error)
    }
    setTimer(after: 0)
  }

  /// Is readable when ``next()`` may have an event, or when a reply may have come. It stays the
  /// same as long as this object exists.
  public var descriptor: Int32 { poller.descriptor }

  /// Returns the next event. Never waits, except for a daemon that hangs: for up to 1 s while it
  /// connects.
  /// - Returns: nil if there is no event now.
  public func next() -> Event? {
    readArrivals()
    switch state {
    case .failed(let error): return report(error)
    case .waiting, .settling: return isDue ? attempt() : nil
    case .opening(let opening): return proceed(opening)
    case .connected:
      if !isAwaiting { readEnd() } else if isDue { expire() }
      if case .failed(let error) = state { return report(error) }
      return nil
    case .refused: return nil
    }
  }

  /// The masks of this connection that the daemon has no room for. Recording is paused while there
  /// are any, and `Pause` and `Resume` fail with ``API/LimitReached``. `call` and `show` try to add
  /// them again.
  public var missingMasks: [API.Mask] { isConnected ? masking.refused : [] }

  /// Closes the connection because a call has failed. The next event is ``Event/lost(_:advice:)``,
  /// or ``Event/refused(_:advice:)`` if the error is ``API/NotPermitted``.
  public func drop(_ error: TouchgridError) {
    if let descriptor = client?.descriptor { poller.remove(descriptor) }
    client = nil
    (isAwaiting, isOverdue) = (false, false)
    state = .failed(error)
    setTimer(after: 0)
  }

  // MARK: Connecting

  /// Lets the next call of `next` connect, unless a connection is being opened.
  func connectSoon() {
    if case .opening = state { return }
    state = .settling
    setTimer(after: 0)
  }

  private func attempt() -> Event? {
    do throws(TouchgridError) {
      // Connecting to a Unix socket takes no time; only a daemon that hangs takes longer.
      let client = try TouchgridClient(path: path, timeout: min(timeout, .seconds(1)))
      do throws(SystemError) {
        try poller.add(client.descriptor, token: Token.socket)
      } catch {
        throw TouchgridError(error)
      }
      self.client = consume client
    } catch {
      return report(error)
    }
    setTimer(after: nil)
    return proceed(opening)
  }

  /// Takes the next steps of the opening, as far as the daemon has answered.
  private func proceed(_ opening: ConnectionOpening) -> Event? {
    var opening = opening
    do throws(TouchgridError) {
      while let step = opening.next {
        if !isAwaiting { try opening.start(step, of: self) }
        guard try opening.hasAnswer(to: step, of: self) else {
          if isDue { throw .timedOut }
          state = .opening(opening)
          return nil
        }
      }
    } catch {
      drop(error)
      return report(error)
    }
    masking = opening.masking
    state = .connected
    if self.opening.next != nil { recordAnswer() }
    return .connected
  }

  /// The daemon has answered, so the next failure is a new one.
  func recordAnswer() {
    delay.reset()
    stopWatching()
  }

  private func report(_ error: TouchgridError) -> Event {
    if error.as(API.NotPermitted.self) != nil {
      state = .refused
      stopWatching()
      setTimer(after: nil)
      return .refused(error, advice: error.advice(path: path))
    }
    // If no daemon is there after the longest delay, attempts stop: the watch reports the next
    // socket. After an attempt that followed a new socket, they go on.
    var rests = arrivals != nil && delay.isLongest && error.isAbsence
    if case .waiting = state {} else { rests = false }
    watchForSocket()
    setTimer(after: rests ? nil : delay.next())
    state = .waiting
    return .lost(error, advice: error.adviceOnLoss(path: path))
  }

  // MARK: Waiting

  private func watchForSocket() {
    guard arrivals == nil, let watch = try? ArrivalWatch(path: path) else { return }
    guard (try? poller.add(watch.descriptor, token: Token.arrivals)) != nil else { return }
    arrivals = consume watch
  }

  private func stopWatching() {
    if let descriptor = arrivals?.descriptor { poller.remove(descriptor) }
    arrivals = nil
  }

  private func readArrivals() {
    guard arrivals != nil else { return }
    let news = (try? arrivals?.news()) ?? .end
    if news == .nothing { return }
    if news == .end { stopWatching() }
    // An attempt that is already scheduled, or a connection, is left alone.
    guard case .waiting = state else { return }
    state = .settling
    setTimer(after: Self.settling)
  }

  /// Sets the timer, which makes the descriptor readable.
  /// - Parameter milliseconds: nil stops the timer.
  func setTimer(after milliseconds: Int?) {
    guard milliseconds != nil || timer.deadline != nil else { return }
    // Setting an existing timer to a valid time does not fail.
    try? timer.set(milliseconds.map { Clocks.boottime + Int64($0) * 1000 })
  }

  /// Ends a connection on which no reply has come in time, or on which nobody has read it: the end of
  /// the stream would stay unnoticed.
  private func expire() {
    guard hasInput, !isOverdue else { return drop(.timedOut) }
    isOverdue = true
    setTimer(after: timeout.milliseconds)
  }

  private var isDue: Bool { timer.deadline.map { $0 <= Clocks.boottime } ?? false }

  /// Whether the daemon has sent something that is not read yet.
  private var hasInput: Bool {
    var ready: [Poller.Ready] = []
    try? poller.wait(into: &ready, atMost: 0)
    return ready.contains { $0.token == Token.socket }
  }

  /// Waits until the descriptor is readable.
  func wait() throws(TouchgridError) {
    var ready: [Poller.Ready] = []
    do throws(SystemError) { try poller.wait(into: &ready) } catch { throw TouchgridError(error) }
  }
}
