internal import LinuxIO
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket
internal import Synchronization
internal import Text
internal import TouchModel

/// Watches the pages of a browser through its DevTools port on this machine, on a separate thread.
/// Reconnects automatically.
///
/// It uses no Swift tasks, because their runtime has a thread that wakes up every second. This
/// client wakes up only for events.
final class BrowserClient: Sendable {
  enum Message: Sendable {
    /// The shown page, or nil if there is none, and the time on `CLOCK_MONOTONIC`, in µs.
    case page(BrowserPages.Page?, Int64)
    /// The controls of the shown page; nil if unknown.
    case controls(PageControls?, Int64)
    /// The response of the shown page to a touch.
    case response(PageResponse, Int64)
    case picture(PagePicture)
    /// The browser is gone. Its pages are unknown from this time on.
    case gone(Int64)
    case state(String)
  }

  private struct State {
    var delay = RetryDelay()
    var channel: (any Channel)?
    var isOver = false
    /// The time at which the connection was opened, on `CLOCK_MONOTONIC`, in µs.
    var since: Int64 = 0
    /// Whether the last connection ended before `success`.
    var isBroken = false
  }

  /// The maximum length of a message, in bytes. An address may have 2 MiB and is its page's title at
  /// first; a picture may be larger.
  private var messageLimit: Int { wantsPictures ? 32 << 20 : 8 << 20 }
  /// The duration, in s, from which a connection counts as a success, so that the delay between
  /// attempts is reset.
  private static let success: Int64 = 10
  private static let timeout = TimeAmount.seconds(5)
  private static let address = "127.0.0.1"

  private let loop: any EventLoop
  private let port: Int
  private let wantsTitles: Bool
  private let wantsControls: Bool
  private let wantsPictures: Bool
  private let tell: @Sendable (Message) -> Bool
  private let state = Mutex(State())

  /// - Parameter tell: Handles a message. Returns false if too many messages are waiting: then the
  ///   client stops reading until `resume` is called.
  init(
    port: Int, wantsTitles: Bool = false, wantsControls: Bool = false, wantsPictures: Bool = false,
    _ tell: @escaping @Sendable (Message) -> Bool
  ) {
    self.port = port
    self.wantsTitles = wantsTitles
    self.wantsControls = wantsControls
    self.wantsPictures = wantsPictures
    self.tell = tell
    loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
  }

  func start() { loop.execute { self.connect() } }

  /// Takes a picture of a page. It arrives as a message.
  func takePicture(of target: String) {
    state.withLock(\.channel)?.pipeline.fireUserInboundEventTriggered(
      PageWatcher.TakePicture(target: target))
  }

  /// Resumes reading after messages have been handled.
  func resume() {
    loop.execute {
      guard let channel = self.state.withLock(\.channel) else { return }
      _ = channel.setOption(.autoRead, value: true)
      channel.read()
    }
  }

  func end() {
    let channel = state.withLock { state in
      state.isOver = true
      return state.channel
    }
    channel?.close(promise: nil)
  }

  private var host: String { "\(Self.address):\(port)" }

  private func connect() {
    guard !state.withLock(\.isOver) else { return }
    askForPath().flatMap { self.openSocket($0) }.whenComplete { result in
      switch result {
      case .success(let channel): self.began(channel)
      case .failure(let refusal as BrowserError): self.again(refusal.reason)
      case .failure:
        self.again(
          "no browser answers at port \(self.port): start Chromium with --remote-debugging-port="
            + "\(self.port) and, from version 136 on, with --user-data-dir=FOLDER, because it opens no "
            + "port on its default profile")
      }
    }
  }

  private func began(_ channel: any Channel) {
    let isBroken = state.withLock { state in
      state.channel = channel
      state.since = Clocks.monotonic
      return state.isBroken
    }
    channel.pipeline.fireUserInboundEventTriggered(PageWatcher.Begin())
    // Do not report the state at once, so that a browser that breaks off each connection does not
    // fill the log.
    let timer = isBroken ? loop.scheduleTask(in: .seconds(Self.success)) { self.lives() } : nil
    if timer == nil { report(.state("following the browser at port \(port)")) }
    channel.closeFuture.whenComplete { _ in
      timer?.cancel()
      self.state.withLock { state in
        state.isBroken = Clocks.monotonic - state.since < Self.success * 1_000_000
        if !state.isBroken { state.delay.reset() }
      }
      self.report(.gone(Clocks.monotonic))
      self.again("lost the connection to the browser at port \(self.port)")
    }
  }

  private func lives() {
    state.withLock { state in
      state.isBroken = false
      state.delay.reset()
    }
    report(.state("following the browser at port \(port)"))
  }

  private func report(_ message: Message) {
    guard !tell(message) else { return }
    _ = state.withLock(\.channel)?.setOption(.autoRead, value: false)
  }

  private func again(_ reason: String) {
    report(.state("\(reason.printable(limit: 400)): trying again"))
    let delay = state.withLock { state in
      state.channel = nil
      return state.delay.next()
    }
    loop.scheduleTask(in: .milliseconds(Int64(delay))) { self.connect() }
  }

  private func askForPath() -> EventLoopFuture<String> {
    let path = loop.makePromise(of: String.self)
    bootstrap { channel in
      try channel.pipeline.syncOperations.addHTTPClientHandlers()
      try channel.pipeline.syncOperations.addHandler(BrowserAddress(host: self.host, path))
    }.whenComplete { result in
      switch result {
      case .success(let channel): self.limit(channel, until: path.futureResult)
      case .failure(let error): path.fail(error)
      }
    }
    return path.futureResult
  }

  private func openSocket(_ path: String) -> EventLoopFuture<any Channel> {
    let opened = loop.makePromise(of: (any Channel).self)
    bootstrap { channel in
      let upgrader = NIOTypedWebSocketClientUpgrader<Void>(maxFrameSize: self.messageLimit) {
        channel, _ in
        channel.eventLoop.makeCompletedFuture { try self.addWatcher(to: channel) }
      }
      var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path)
      head.headers.add(name: "Host", value: self.host)
      head.headers.add(name: "Content-Length", value: "0")
      let upgrade = NIOTypedHTTPClientUpgradeConfiguration<Void>(
        upgradeRequestHead: head, upgraders: [upgrader],
        notUpgradingCompletionHandler: { channel in
          channel.eventLoop.makeFailedFuture(
            BrowserError(reason: "the program at \(self.host) refuses the connection for DevTools"))
        })
      try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
        configuration: .init(upgradeConfiguration: upgrade)
      ).map { channel }.cascade(to: opened)
    }.whenComplete { result in
      switch result {
      case .success(let channel):
        self.limit(channel, until: opened.futureResult.map { _ in })
        opened.futureResult.whenFailure { _ in channel.close(promise: nil) }
      case .failure(let error): opened.fail(error)
      }
    }
    return opened.futureResult
  }

  private func addWatcher(to channel: any Channel) throws {
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(
      NIOWebSocketFrameAggregator(
        minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1024,
        maxAccumulatedFrameSize: messageLimit))
    try pipeline.addHandler(
      PageWatcher(
        wantsTitles: wantsTitles, wantsControls: wantsControls, wantsPictures: wantsPictures,
        tell: { page, time in self.report(.page(page, time)) },
        tellControls: { controls, time in self.report(.controls(controls, time)) },
        tellResponse: { response, time in self.report(.response(response, time)) },
        tellPicture: { self.report(.picture($0)) }))
  }

  private func bootstrap(
    _ prepare: @escaping @Sendable (any Channel) throws -> Void
  ) -> EventLoopFuture<any Channel> {
    // Use a numeric address, because looking up a name would start a thread that never ends.
    let address: SocketAddress
    do {
      address = try SocketAddress(ipAddress: Self.address, port: port)
    } catch {
      return loop.makeFailedFuture(error)
    }
    return ClientBootstrap(group: loop).connectTimeout(Self.timeout)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try prepare(channel) }
      }
      .connect(to: address)
  }

  /// Closes a connection if `done` is not completed within `timeout`.
  private func limit(_ channel: any Channel, until done: EventLoopFuture<some Sendable>) {
    let timer = loop.scheduleTask(in: Self.timeout) { channel.close(promise: nil) }
    done.whenComplete { _ in timer.cancel() }
  }
}
