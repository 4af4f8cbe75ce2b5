internal import Glibc
internal import LinuxIO

/// The extension in one of the user's browsers. The browser starts a program that forwards the
/// extension's messages.
/// Only one browser is observed at a time: the first to connect, until it disconnects. With two,
/// one could report its own page while the other shows a masked one.
final class ExtensionSource: ObservationSource {
  private final class Browser {
    // Declared first, so that it is released before the descriptor is closed.
    var watch: Loop.Watch?
    let stream: UnixStream
    var messages = NativeMessages()
    var tab = ExtensionTab()
    init(_ descriptor: Int32) { stream = UnixStream(owning: descriptor) }
  }

  private final class Listener {
    // Declared first, so that it is released before the descriptor is closed. nil while no browser
    // is awaited.
    var watch: Loop.Watch?
    let socket: UnixListener
    init(path: String) throws(SystemError) { socket = try UnixListener(path: path) }
  }

  /// The pause before the next attempt, in ms, if the system lacks resources for a connection.
  private static let pause = 1000

  private let loop: Loop
  private let display: String?
  private let wantsControls: Bool
  private let handler: (SourceEvent) -> Void
  private let listener: Listener
  private var browser: Browser?
  /// The address of the shown page; nil if none is shown.
  private var shown: String?
  private var timer: Loop.Timer?
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// - Parameter wantsControls: Whether to find controls in pages.
  init(
    loop: Loop, display: String?, wantsControls: Bool,
    _ handler: @escaping (SourceEvent) -> Void
  ) throws(FollowFailure) {
    self.loop = loop
    self.display = display
    self.wantsControls = wantsControls
    self.handler = handler
    let path = try ExtensionSocket.path()
    do throws(SystemError) {
      listener = try Listener(path: path)
    } catch  where error.code == EADDRINUSE {
      throw .nothingToFollow(
        "another touchgrid-follow already receives the extension's messages; stop it first "
          + "(systemctl --user stop touchgrid-follow)")
    } catch {
      throw .system("\(error)")
    }
    handler(
      .state(
        "waiting for a browser with the extension; Google Chrome from version 137 on ignores "
          + "--load-extension and takes it by policy only"))
    waitForBrowser()
  }

  private func waitForBrowser() {
    timer = nil
    browser = nil
    do throws(SystemError) {
      listener.watch = try loop.watch(listener.socket.descriptor) { [unowned self] in accept() }
    } catch {
      waitLater()
    }
  }

  private func waitLater() {
    listener.watch = nil
    timer = loop.after(milliseconds: Self.pause) { [unowned self] in waitForBrowser() }
  }

  private func accept() {
    do throws(SystemError) {
      guard let descriptor = try listener.socket.accept() else { return }
      let browser = Browser(descriptor)
      guard ExtensionSocket.isOfThisUser(descriptor) else { return }
      browser.watch = try loop.watch(descriptor) { [unowned self] in read() }
      self.browser = browser
      listener.watch = nil
      if wantsControls { send(.controls(true)) }
    } catch {
      waitLater()
    }
  }

  private func read() {
    guard let browser else { return }
    let outcome: UnixStream.Outcome
    do throws(SystemError) {
      outcome = try browser.stream.receive(into: &buffer)
    } catch {
      outcome = .ended
    }
    switch outcome {
    case .wouldBlock: return
    case .ended: return connectionLost()
    case .moved(let count):
      for message in browser.messages.append(buffer[..<count]) {
        if let message = ExtensionMessage(message) { handle(message) }
      }
      if browser.messages.isBroken { connectionLost() }
    }
  }

  private func handle(_ message: ExtensionMessage) {
    switch message {
    case .page(let page):
      guard let browser else { return }
      handler(.seen(browser.tab.seen(page, on: display)))
      guard page.url != shown else { return }
      shown = page.url
      // Report this after the page, so that the daemon keeps the controls of the previous screen.
      if wantsControls { handler(.noControls(display: display)) }
    case .told(let text):
      guard wantsControls else { return }
      let time = Clocks.monotonic
      switch PageReport(text) {
      case .controls(let controls):
        for event in PageControls.events(controls, on: display, at: time) { handler(event) }
      case .response(let response):
        if let observed = response.observed(on: display, at: time) { handler(.response(observed)) }
      case nil: handler(.noControls(display: display))
      }
      send(.taken)
    case .refusal:
      handler(
        .state(
          "the browser's extension may not look for controls: load extension-controls instead of "
            + "extension, and allow it to read all pages"))
    }
  }

  /// Sends a message to the extension. If the socket has no room, the forwarding program has
  /// stopped reading, and the extension gets no more messages until it connects again.
  private func send(_ order: ExtensionOrder) {
    _ = try? browser?.stream.send(order.framed[...])
  }

  private func connectionLost() {
    shown = nil
    handler(.noControls(display: display))
    handler(.seen(ObservedScreen(display: display, content: .unknown, time: Clocks.monotonic)))
    waitForBrowser()
  }
}
