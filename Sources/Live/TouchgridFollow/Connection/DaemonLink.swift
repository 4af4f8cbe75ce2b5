internal import LinuxIO
internal import TouchModel
internal import TouchgridAPI

/// The link to the daemon. It reconnects automatically, and never blocks to wait for a reply.
final class DaemonLink {
  enum Event {
    /// The link is connected to a daemon that does not yet know the shown screens. `masked` holds
    /// the names of the screens that the daemon masks, wholly or in part, and `partly` those that
    /// it masks in part.
    case connected(masked: Set<String>, partly: Set<String>)
    /// The state of the link, as text for users.
    case state(String)
    /// The user may not name screens. The link makes no further attempts to connect.
    case refused(String)
  }

  private let loop: Loop
  private let masks: Set<String>
  private let handler: (Event) -> Void
  private let connection: TouchgridConnection
  private var watch: Loop.Watch?
  /// The calls on the current connection; nil while there is none.
  private var calls: FollowerCalls?
  /// The closure of a `finish` that was called while the connection was being opened.
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

  /// Sends a change. Does nothing without a connection: once the link has connected, the daemon
  /// receives all shown screens.
  func send(_ change: ShownScreens.Change) { calls?.send(change) }

  /// Sends the mode of a display. Does nothing without a connection, like `send`.
  func report(_ mode: DisplayMode) { calls?.report(mode) }

  /// Calls `body` once the daemon has answered everything, or once there is no connection.
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
      let found = connection.masking.found
      let masks = found.configured + found.added
      let whole = masks.filter { $0.display == nil && $0.rectangle == nil }
      let masked = Set(masks.map(\.screen))
      handler(.connected(masked: masked, partly: masked.subtracting(whole.map(\.screen))))
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
