package import LinuxIO

/// A connection to the daemon that reconnects automatically, and adds its masks before anything
/// else.
///
/// An app without an event loop uses ``show(_:on:)`` and ``call(_:)``. They connect if necessary,
/// wait for the answer, and connect again if the daemon was restarted.
///
/// An app with an event loop waits until ``descriptor`` is readable, and then calls ``next()``
/// until it returns nil. Once `next` has returned ``Event/connected``, the app sends a call by
/// ``start(_:more:)`` and reads the replies by ``receive(_:within:)``, which do not wait for the
/// daemon:
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
/// If no daemon listens on the socket, further attempts follow after 0.1 s to 5 s, and 50 ms after
/// the socket appears. When the delay has reached 5 s, only a new socket causes an attempt, so that
/// a missing daemon causes no wake-ups.
///
/// A pause ends with its connection, and with `follows` the names of the screens do, too; a restarted
/// daemon knows no controls of apps. `call` and `show` restore them on the next connection. An app
/// with an event loop must restore them itself after ``Event/connected``.
///
/// A connection belongs to one thread.
public final class TouchgridConnection {
  /// A change of the connection.
  public enum Event: Sendable {
    /// The daemon is connected and has answered for every mask; see `missingMasks`. The app has yet
    /// to name the screen that it shows.
    case connected
    /// There is no connection, and further attempts follow. `advice` is one line for a person.
    case lost(TouchgridError, advice: String)
    /// The user lacks the role that a call needs. No further attempts follow. `advice` is the
    /// remedy in one line for a person.
    case refused(TouchgridError, advice: String)
  }

  enum State {
    /// The connection has failed; `next` reports it.
    case failed(TouchgridError)
    /// Waits for the timer or for the socket to appear. If the timer is disarmed, only the socket
    /// ends the wait.
    case waiting
    /// Connects when the timer expires: at the start, after the socket has appeared, or for a call.
    case settling
    /// Is connected, and sends the calls that open the connection.
    case opening(ConnectionOpening)
    case connected
    case refused
  }

  private enum Token {
    static let timer: UInt64 = 1
    static let socket: UInt64 = 2
    static let arrivals: UInt64 = 3
  }

  /// The delay after the socket appears, in ms, because the daemon begins to listen a little later.
  private static let settling = 50

  /// The path of the daemon's socket.
  package let path: String
  let timeout: Duration
  /// The calls that open each connection.
  private let opening: ConnectionOpening
  private var poller: Poller
  private var timer: BootTimer
  private var delay: RetryDelay
  /// The watch for a new socket, kept from one attempt to the next while there is no connection, so
  /// that no new socket is missed.
  private var arrivals: ArrivalWatch?
  private(set) var state = State.settling
  var client: TouchgridClient?
  /// Whether a call is in progress, so that at least one reply has yet to be read.
  var isAwaiting = false
  /// Whether the current call has already exceeded its timeout once while unread input was waiting.
  var isOverdue = false
  /// The time limit for the call of an app without an event loop, on `CLOCK_BOOTTIME`, in µs. It
  /// includes connecting and restoring masks. nil if no such call is in progress.
  private var deadline: Int64?
  /// The controls, the screen names and the pause that `call` has set.
  var restored = RestoredState()
  /// The masks of the daemon when the current connection was opened, and those that it refused.
  package internal(set) var masking = ConnectionMasking()

  /// Creates a connection. The first call of `next`, `call` or `show` connects.
  /// - Parameters:
  ///   - path: the path of the daemon's socket.
  ///   - masks: all masks of the app. They are added on each connection, because a restarted daemon
  ///     knows only those of its configuration. If the daemon refuses a mask, the connection counts
  ///     as lost, so that no screen is named without its masks. If the daemon only has no room for
  ///     a mask (``API/LimitReached``), nothing is recorded as long as the connection lives;
  ///     ``missingMasks`` lists such masks.
  ///   - follows: whether the screen names end with the connection (``API/Follow``).
  ///   - timeout: the time limit for `call` and `show`, including connecting and restoring masks;
  ///     for `start`, the time limit for the daemon's answer.
  /// - Throws: `TouchgridError.system` if the process cannot get a descriptor for epoll or a timer.
  public convenience init(
    path: String = TouchgridClient.standardPath, masks: [API.Mask] = [], follows: Bool = false,
    timeout: Duration = .seconds(1)
  ) throws(TouchgridError) {
    try self.init(
      path: path, opening: ConnectionOpening(follows: follows, masks: masks), timeout: timeout)
  }

  /// - Parameters:
  ///   - path: the path of the daemon's socket.
  ///   - opening: the calls that open each connection.
  ///   - timeout: the time limit for the daemon's answer to a call.
  ///   - delay: the delay between two attempts.
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

  /// A descriptor that is readable when ``next()`` may have an event, or when a reply may have
  /// arrived. It stays the same for the lifetime of this object.
  public var descriptor: Int32 { poller.descriptor }

  /// Returns the next event. Connects when that is due, which can take up to 1 s if the daemon
  /// hangs; never waits otherwise.
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

  /// The masks of this connection that the daemon has no room for; empty if there is no connection.
  /// While there are any, recording is paused, and `Pause` and `Resume` fail with
  /// ``API/LimitReached``. `call` and `show` try to add them again.
  public var missingMasks: [API.Mask] { isConnected ? masking.refused : [] }

  /// Closes the connection after a failed call. The next event is ``Event/lost(_:advice:)``,
  /// or ``Event/refused(_:advice:)`` if the error is ``API/NotPermitted``.
  public func drop(_ error: TouchgridError) {
    if let descriptor = client?.descriptor { poller.remove(descriptor) }
    client = nil
    (isAwaiting, isOverdue) = (false, false)
    state = .failed(error)
    setTimer(after: 0)
  }

  // MARK: Connecting

  /// Makes the next call of `next` connect, unless a connection is already being opened.
  func connectSoon() {
    if case .opening = state { return }
    state = .settling
    setTimer(after: 0)
  }

  private func attempt() -> Event? {
    do throws(TouchgridError) {
      // Connecting to a Unix socket returns at once, unless the daemon hangs and its queue is full.
      let client = try TouchgridClient(path: path, timeout: min(remaining, .seconds(1)))
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

  /// Performs the steps of the opening one after another, until the daemon has yet to answer one.
  /// - Returns: nil if the opening is not complete yet.
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

  /// Resets the delay and stops watching for a new socket, because the daemon has answered.
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
    // If there is still no daemon after the longest delay, attempts stop, because the watch reports
    // the next socket. They continue if this attempt was made because a socket had appeared.
    var rests = arrivals != nil && delay.isLongest && error.isAbsence
    if case .waiting = state {} else { rests = false }
    watchForSocket()
    setTimer(after: rests ? nil : delay.next())
    state = .waiting
    return .lost(error, advice: error.adviceOnLoss(path: path))
  }

  // MARK: Waiting

  /// The remaining time for the daemon's answer.
  var remaining: Duration {
    deadline.map { .microseconds(max(0, $0 - Clocks.boottime)) } ?? timeout
  }

  /// Limits the total time of answering a call.
  func withinTimeout<Result>(
    _ body: () throws(TouchgridError) -> Result
  ) throws(TouchgridError) -> Result {
    if deadline != nil { return try body() }
    deadline = Clocks.boottime + Int64(timeout.milliseconds) * 1000
    defer { deadline = nil }
    return try body()
  }

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
    // In other states, an attempt is already scheduled, or there is a connection.
    guard case .waiting = state else { return }
    state = .settling
    setTimer(after: Self.settling)
  }

  /// Sets the timer, which makes the descriptor readable when it expires.
  /// - Parameter milliseconds: the time from now; nil disarms the timer.
  func setTimer(after milliseconds: Int?) {
    guard milliseconds != nil || timer.deadline != nil else { return }
    // The error is ignored, because setting an existing timer to a valid time does not fail.
    try? timer.set(milliseconds.map { Clocks.boottime + Int64($0) * 1000 })
  }

  /// Drops the connection because the reply to the current call is overdue. If unread input is
  /// waiting, the app first gets one more timeout to read it. After that the connection is dropped
  /// too, because the input may only be an end of file, which `next` does not read during a call.
  private func expire() {
    guard hasInput, !isOverdue else { return drop(.timedOut) }
    isOverdue = true
    setTimer(after: remaining.milliseconds)
  }

  private var isDue: Bool { timer.deadline.map { $0 <= Clocks.boottime } ?? false }

  /// Whether the daemon has sent data that has not been read yet, or has closed the connection.
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
