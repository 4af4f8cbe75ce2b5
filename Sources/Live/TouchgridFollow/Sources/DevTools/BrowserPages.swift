internal import Text

/// The pages of a browser, as the browser's messages report them. If there are several, the page
/// that was opened last is assumed to be shown until it is closed.
struct BrowserPages {
  struct Page: Equatable, Sendable {
    /// Its number at the browser.
    var target: String
    var url: String
    var title: String
  }

  /// The pages in the order in which they were opened.
  private var pages: [Page] = []

  /// The page that is assumed to be shown; nil if there is none. A page that was just opened is
  /// skipped until it has an address.
  var shown: Page? { pages.last { !$0.url.isEmpty } }

  /// The target of the page that is assumed to be shown; nil if there is none.
  var shownTarget: String? { shown?.target }

  /// Returns the address of a page; nil if the page is gone.
  func url(of target: String) -> String? { pages.first { $0.target == target }?.url }

  /// The targets of all pages.
  var targets: [String] { pages.map(\.target) }

  /// Applies a message. Unknown messages are ignored.
  mutating func handle(_ message: ArraySlice<UInt8>) {
    guard let head = try? JSON.decode(PageMessages.Head.self, from: message) else { return }
    switch head.method {
    case "Target.targetCreated", "Target.targetInfoChanged":
      if let target = parameters(PageMessages.Target.self, message) { update(target.targetInfo) }
    case "Target.targetDestroyed", "Target.targetCrashed":
      guard let gone = parameters(PageMessages.Gone.self, message) else { return }
      pages.removeAll { $0.target == gone.targetId }
    case nil:
      let reply = try? JSON.decode(
        PageMessages.Reply<PageMessages.Targets>.self, from: message)
      // Ignore the addresses in the reply, because events report them, and do so earlier.
      for info in reply?.result.targetInfos ?? [] {
        guard let index = pages.firstIndex(where: { $0.target == info.targetId }) else { continue }
        if pages[index].url == info.url { pages[index].title = info.title }
      }
    default: break
    }
  }

  private mutating func update(_ info: PageMessages.Target.Info) {
    guard info.type == "page", info.subtype == nil else { return }
    let page = Page(target: info.targetId, url: info.url, title: info.title)
    if let index = pages.firstIndex(where: { $0.target == info.targetId }) {
      pages[index] = page
    } else {
      pages.append(page)
    }
  }

  private func parameters<P: Decodable>(_ type: P.Type, _ message: ArraySlice<UInt8>) -> P? {
    (try? JSON.decode(PageMessages.Event<P>.self, from: message))?.params
  }
}
