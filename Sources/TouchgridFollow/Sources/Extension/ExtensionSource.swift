internal import Glibc
internal import LinuxIO
internal import TouchModel

/// The extension in browsers of this user, whichever of them told last: each runs a program that hands it on.
final class ExtensionSource: SightingSource {
  /// Of connections.
  private static let limit = 16

  private final class Browser {
    let stream: UnixStream
    var messages = NativeMessages()
    var page: ExtensionPage?
    var watch: Loop.Watch?
    init(_ descriptor: Int32) { stream = UnixStream(owning: descriptor) }
  }

  private final class Listener {
    let socket: UnixListener
    init(path: String) throws(SystemError) { socket = try UnixListener(path: path) }
  }

  private let loop: Loop
  private let path: String
  private let display: String?
  private let handler: (SourceEvent) -> Void
  private var delay = RetryDelay(shortest: 500, longest: 30_000)
  private var listener: (Listener, watch: Loop.Watch)?
  private var timer: Loop.Timer?
  /// The last is the one that told last.
  private var browsers: [Browser] = []
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init(
    loop: Loop, display: String?, _ handler: @escaping (SourceEvent) -> Void
  ) throws(FollowFailure) {
    self.loop = loop
    self.display = display
    self.handler = handler
    path = try ExtensionSocket.path()
    timer = loop.after(milliseconds: 0) { [unowned self] in listen() }
  }

  private func listen() {
    do throws(SystemError) {
      let listener = try Listener(path: path)
      let watch = try loop.watch(listener.socket.descriptor) { [unowned self] in accept() }
      self.listener = (listener, watch)
    } catch {
      handler(.state("\(error)".printable(limit: 1000) + ": trying again"))
      timer = loop.after(milliseconds: delay.next()) { [unowned self] in listen() }
    }
  }

  private func accept() {
    guard let listener = listener?.0 else { return }
    while let descriptor = try? listener.socket.accept() {
      let browser = Browser(descriptor)
      guard browsers.count < Self.limit,
        (try? PeerCredentials(of: descriptor))?.user == geteuid(),
        let watch = try? loop.watch(
          descriptor, { [unowned self, unowned browser] in read(browser) })
      else { continue }
      browser.watch = watch
      browsers.insert(browser, at: 0)
    }
  }

  private func read(_ browser: Browser) {
    guard case .moved(let count)? = try? browser.stream.receive(into: &buffer) else {
      return end(browser)
    }
    for message in browser.messages.take(buffer[..<count]) {
      guard let page = ExtensionPage(message: message) else { continue }
      browser.page = page
      browsers.removeAll { $0 === browser }
      browsers.append(browser)
      handler(.seen(page.seen(on: display)))
    }
    if browser.messages.isBroken { end(browser) }
  }

  private func end(_ browser: Browser) {
    let hasToldLast = browsers.last === browser
    browsers.removeAll { $0 === browser }
    guard hasToldLast, browser.page != nil else { return }
    if let page = browsers.last?.page {
      handler(.seen(page.seen(on: display)))
    } else {
      handler(.seen(SeenScreen(display: display, content: .unknown, time: Clocks.monotonic)))
    }
  }
}
