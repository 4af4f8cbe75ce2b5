internal import LinuxIO

/// The page that a Chromium shows, as its DevTools report it.
final class DevToolsSource: ObservationSource {
  private let display: String?
  private let handler: (SourceEvent) -> Void
  private let inbox: Inbox<BrowserClient.Message>
  private let client: BrowserClient
  /// A second connection, for controls and pictures; nil if there are none. A page can fill it with
  /// messages of its own, which must not delay its name.
  private let pageClient: BrowserClient?
  private var watch: Loop.Watch?
  private var last: BrowserPages.Page?

  /// - Parameters:
  ///   - wantsTitles: Whether to ask the browser for titles.
  ///   - wantsControls: Whether to look for controls in pages.
  ///   - wantsPictures: Whether pictures of pages will be taken.
  init(
    loop: Loop, port: Int, wantsTitles: Bool, wantsControls: Bool, wantsPictures: Bool,
    display: String?,
    _ handler: @escaping (SourceEvent) -> Void
  ) throws(FollowFailure) {
    self.display = display
    self.handler = handler
    do throws(SystemError) {
      let inbox = try Inbox<BrowserClient.Message>()
      self.inbox = inbox
      client = BrowserClient(port: port, wantsTitles: wantsTitles) { inbox.append($0) }
      pageClient =
        wantsControls || wantsPictures
        ? BrowserClient(
          port: port, wantsControls: wantsControls, wantsPictures: wantsPictures
        ) { message in
          switch message {
          case .controls, .response, .picture: inbox.append(message)
          case .gone(let time): inbox.append(.controls(nil, time))
          // The first connection reports these.
          case .page, .state: break
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
    if let last { pageClient?.takePicture(of: last.target) }
  }

  private func read() {
    for message in inbox.takeAll() {
      switch message {
      case .state(let text): handler(.state(text))
      case .gone(let time):
        last = nil
        handler(.noControls(display: display))
        handler(.seen(ObservedScreen(display: display, content: .unknown, time: time)))
      case .page(let page, let time):
        guard page != last else { continue }
        last = page
        let content = page.map {
          ObservedScreen.Content.sighting(Observation(url: $0.url, title: $0.title))
        }
        handler(.seen(ObservedScreen(display: display, content: content ?? .nothing, time: time)))
      case .picture(let picture):
        if picture.target == last?.target { handler(.picture(picture.bytes, url: picture.url)) }
      case .response(let response, let time):
        if let observed = response.observed(on: display, at: time) { handler(.response(observed)) }
      case .controls(let controls, let time):
        for event in PageControls.events(controls, on: display, at: time) { handler(event) }
      }
    }
  }
}
