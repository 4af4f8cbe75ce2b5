internal import LinuxIO
internal import TouchModel
internal import TouchgridAPI

/// The link to the daemon. It connects again by itself, and never blocks for an answer.
final class DaemonLink {
  enum Event {
    /// The daemon is connected and does not know yet what is shown. `masked` holds the names of the
    /// screens that the daemon masks.
    case connected(masked: Set<String>)
    /// The state of the link, as text for users.
    case state(String)
    /// The user may not name screens. No further attempts follow.
    case refused(String)
  }

  private let loop: Loop
  private let masks: Set<String>
  private let handler: (Event) -> Void
  private let connection: TouchgridConnection
  private var watch: Loop.Watch?
  /// The calls on the current connection; nil while there is none.
  private var calls: FollowerCalls?
  /// What `finish` calls if the current connection is still being opened.
  private var finished: (() -> Void)?

  /// - Parameters:
  ///   - path: The path of the daemon's socket.
  ///   - masks: The names of the screens to mask before any screen is named.
  init(
    loop: Loop, path: String, masks: [String], _ handler: @escaping (Event) -> Void
  ) throws(TouchgridError) {
    self.loop = loop
    self.masks = Set(masks)
    self.handler = handler
    connection = try TouchgridConnection(
      path: path,
      opening: ConnectionOpening(
        follows: true, masks: self.masks.sorted().map { API.Mask(screen: $0) },
        pauses: false))
  }

  func start() throws(SystemError) {
    // The closure cannot outlive `self`, which owns the watch.
    watch = try loop.watch(connection.descriptor) { [unowned self] in read() }
    read()
  }

  /// Sends a change. Without a connection it does nothing, because the daemon receives everything
  /// when it connects.
  func send(_ change: ShownScreens.Change) { calls?.send(change) }

  /// Sends the mode of a display. Without a connection it does nothing, like `send`.
  func report(_ mode: DisplayMode) { calls?.report(mode) }

  /// Calls `body` once everything is sent, or if there is no connection.
  func finish(_ body: @escaping () -> Void) {
    if let calls {
      calls.finish(body)
    } else if connection.isOpening {
      finished = body
    } else {
      body()
    }
  }

  private func read() {
    while let event = connection.next() { handle(event) }
    calls?.read()
  }

  private func handle(_ event: TouchgridConnection.Event) {
    switch event {
    case .connected:
      let calls = FollowerCalls(loop: loop, connection: connection, wanted: masks) {
        [unowned self] in handler(.state($0))
      }
      self.calls = calls
      let masks = connection.masking.found
      handler(.connected(masked: Set((masks.configured + masks.added).map(\.screen))))
      calls.begin()
      if let finished { calls.finish(finished) }
    case .lost(_, let advice):
      endCalls()
      handler(.state(advice))
    case .refused(_, let advice):
      endCalls()
      handler(.refused(advice))
    }
  }

  private func endCalls() {
    let ended = calls
    calls = nil
    if let ended { ended.end() } else { finished?() }
  }
}
