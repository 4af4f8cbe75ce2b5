internal import LinuxIO

/// Observes the shown page of a Chromium through its DevTools.
final class DevToolsSource: ObservationSource {
  /// The number of waiting messages above which the client stops reading.
  private static let waiting = 64

  private let display: String?
  private let handler: (SourceEvent) -> Void
  private let inbox: Inbox<BrowserClient.Message>
  private let client: BrowserClient
  /// A second connection, for controls and pictures; nil if neither is needed. A page can fill it
  /// with its own messages, which must not delay the page's name.
  private let pageClient: BrowserClient?
  private var watch: Loop.Watch?
  private var pages = HeldPage()
  /// The timer that reports the held page.
  private var timer: Loop.Timer?
  /// The timeout of the timer, in ms; nil if there is no timer.
  private var patience: Int?
  private let loop: Loop
  private let isMasked: (Observation) -> Bool

  /// - Parameters:
  ///   - wantsTitles: Whether to ask the browser for titles.
  ///   - wantsControls: Whether to look for controls in pages.
  ///   - wantsPictures: Whether pictures of pages will be taken.
  ///   - isMasked: Whether a page has a mask.
  init(
    loop: Loop, port: Int, wantsTitles: Bool, wantsControls: Bool, wantsPictures: Bool,
    display: String?, isMasked: @escaping (Observation) -> Bool,
    _ handler: @escaping (SourceEvent) -> Void
  ) throws(FollowFailure) {
    self.loop = loop
    self.isMasked = isMasked
    self.display = display
    self.handler = handler
    do throws(SystemError) {
      let inbox = try Inbox<BrowserClient.Message>()
      self.inbox = inbox
      client = BrowserClient(port: port, wantsTitles: wantsTitles) {
        inbox.append($0) < Self.waiting
      }
      pageClient =
        wantsControls || wantsPictures
        ? BrowserClient(
          port: port, wantsControls: wantsControls, wantsPictures: wantsPictures
        ) { message in
          switch message {
          case .controls, .response, .picture: inbox.append(message) < Self.waiting
          case .gone(let time): inbox.append(.controls(nil, time)) < Self.waiting
          // The first connection already reports these.
          case .page, .state: true
          }
        } : nil
      watch = try loop.watch(inbox.descriptor) { [unowned self] in read() }
    } catch {
      throw .system("\(error)")
    }
    client.start()
    pageClient?.start()
  }

  deinit {
    client.end()
    pageClient?.end()
  }

  /// The connection for pictures may list the browser's pages in another order, so it does not decide
  /// which one is shown.
  func takePicture() {
    guard let last = pages.last, last.hasAddress, !last.hasFailed else { return }
    pageClient?.takePicture(of: last.target)
  }

  private func read() {
    let messages = inbox.takeAll()
    defer {
      if messages.count >= Self.waiting {
        client.resume()
        pageClient?.resume()
      }
    }
    for message in messages {
      switch message {
      case .state(let text): handler(.state(text))
      case .gone(let time):
        report(pages.forget())
        wait()
        handler(.noControls(display: display))
        handler(.seen(ObservedScreen(display: display, content: .unknown, time: time)))
      case .page(let page, let time):
        report(pages.add(page, at: time, isMasked: isMasked))
        wait()
      case .picture(let picture):
        if picture.target == pages.last?.target {
          handler(.picture(picture.bytes, url: picture.url))
        }
      case .response(let response, let time):
        if let observed = response.observed(on: display, at: time) { handler(.response(observed)) }
      case .controls(let controls, let time):
        for event in PageControls.events(controls, on: display, at: time) { handler(event) }
      }
    }
  }

  /// Starts the timer for the held page.
  private func wait() {
    guard pages.patience != patience else { return }
    patience = pages.patience
    timer = patience.map {
      loop.after(milliseconds: $0) { [unowned self] in
        (timer, patience) = (nil, nil)
        report(pages.release())
      }
    }
  }

  private func report(_ reports: [HeldPage.Report]) {
    for report in reports {
      let content = report.page.map { ObservedScreen.Content.sighting($0.observation) }
      handler(
        .seen(
          ObservedScreen(display: display, content: content ?? .nothing, time: report.time)))
    }
  }
}
