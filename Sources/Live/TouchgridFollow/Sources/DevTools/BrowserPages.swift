internal import Text

/// The pages of a browser, as the browser's messages report them. If there are several, the page
/// that was opened last is assumed to be shown until it is closed.
///
/// The browser's own pages are not counted among them: a print dialog or the list below the address
/// bar lies over a page that is still shown. A page without an address of its own keeps the name of
/// the page that opened it, or that was shown before. A page has failed if it could not be loaded
/// or its process has ended.
struct BrowserPages {
  struct Page: Equatable, Sendable {
    /// The browser's id of the page.
    var target: String
    /// The address that names the page, which may be that of the page that opened it. Empty if
    /// there is none.
    var url: String
    var title: String
    /// Whether `url` is the page's own address.
    var hasAddress = true
    /// Whether the page could not be loaded, or has crashed.
    var hasFailed = false
    /// Whether `hasFailed` is certain: the browser has reported it, or cannot be queried.
    var isSure = true
    /// Whether the browser is still listing its pages, any of which may be shown.
    var isListing = false
    /// Pages whose masks also hold for this one.
    var covers: [Observation] = []

    /// The observation from which the page is named.
    var observation: Observation {
      var seen = url.isEmpty ? Observation() : Observation(url: url, title: title)
      seen.hasFailed = hasFailed
      seen.covers = covers
      return seen
    }

    /// The same page without titles, which are outdated unless the browser is queried for them.
    var withoutTitles: Page {
      var page = self
      page.title = ""
      for index in covers.indices { page.covers[index].title = "" }
      return page
    }
  }

  private struct Target {
    var id: String
    /// The target that opened this one; nil if there is none, or the browser does not report it.
    var opener: String?
    /// Empty until the browser knows the address.
    var url = ""
    var title = ""
    var kind = AddressKind.none
    /// The last page with an address that the target showed or, without one, the page that opened
    /// it or lies below it. nil if neither is known.
    var namer: Observation?
    /// Whether the browser must still be queried about the loading of the page.
    var isUnasked = false
    /// Whether the browser has reported the result of loading the page, or cannot be queried.
    var isSure = true
    /// Whether the browser has ever reported that.
    var answers = false
    /// The time at which its address last changed, or at which it was last loaded.
    var time: Int64 = 0
    /// Whether it existed before this program connected. The order in which such pages were opened
    /// is unknown.
    var isListed: Bool

    var hasAddress: Bool { kind == .page && !url.isEmpty }
  }

  /// The maximum number of targets. Beyond it, the oldest are forgotten.
  static let limit = 100
  /// The maximum length of a title, in characters. It is Chromium's.
  private static let titleLimit = 4096

  /// The targets in the order in which they were opened.
  private var all: [Target] = []
  /// Whether the browser has listed the pages that existed before this program connected.
  private var hasListed = false
  /// Whether the browser is still listing these pages.
  private var isListing = true

  /// The head of the last message; nil if it had none.
  private(set) var head: PageMessages.Head?

  /// The page that is assumed to be shown; nil if there is none. A newly opened page is skipped
  /// until it has an address.
  private(set) var shown: Page?

  /// The target of the page that is assumed to be shown; nil if there is none.
  var shownTarget: String? { shown?.target }

  /// Returns the address of a page; nil if the page is gone.
  func url(of target: String) -> String? { all.first { $0.id == target }?.url }

  var targets: [String] { all.map(\.id) }

  /// Applies a message. Unknown messages are ignored.
  /// - Parameter time: its time of arrival.
  mutating func handle(_ message: ArraySlice<UInt8>, at time: Int64 = 0) {
    head = try? JSON.decode(PageMessages.Head.self, from: message)
    guard let head else { return }
    switch head.method {
    case "Target.targetCreated", "Target.targetInfoChanged":
      if let target = parameters(PageMessages.Target.self, message) {
        update(target.targetInfo, at: time)
      }
    case "Target.targetDestroyed":
      guard let gone = parameters(PageMessages.Gone.self, message) else { return }
      all.removeAll { $0.id == gone.targetId }
    case "Target.targetCrashed":
      guard let gone = parameters(PageMessages.Gone.self, message),
        let index = all.firstIndex(where: { $0.id == gone.targetId })
      else { return }
      // The window of a crashed page stays, and may load the page again.
      all[index].namer?.hasFailed = true
      all[index].isUnasked = false
      all[index].isSure = true
    case nil:
      // The browser answers the first call after it has listed its pages.
      hasListed = true
      isListing = false
      let reply = try? JSON.decode(
        PageMessages.Reply<PageMessages.Targets>.self, from: message)
      // Ignore the addresses in the reply, because events report them, and do so earlier.
      for info in reply?.result.targetInfos ?? [] {
        guard let index = all.firstIndex(where: { $0.id == info.targetId }),
          all[index].url == PageAddress.shortened(info.url)
        else { continue }
        let title = String(info.title.prefix(Self.titleLimit))
        all[index].title = title
        if all[index].hasAddress { all[index].namer?.title = title }
      }
    default: return
    }
    inherit()
    shown = found
  }

  private mutating func update(_ info: PageMessages.Target.Info, at time: Int64) {
    guard info.type == "page", info.subtype == nil else { return }
    var info = info
    info.url = PageAddress.shortened(info.url)
    info.title = String(info.title.prefix(Self.titleLimit))
    let index: Int
    if let known = all.firstIndex(where: { $0.id == info.targetId }) {
      index = known
    } else {
      makeRoom()
      index = all.count
      all.append(Target(id: info.targetId, isListed: !hasListed))
    }
    var target = all[index]
    let isSame = target.url == info.url
    target.opener = info.openerId ?? target.opener
    target.url = info.url
    target.title = info.title
    target.kind = info.url.isEmpty ? .none : AddressKind(info.url)
    target.time = time
    target.isUnasked = target.hasAddress || target.kind == .failed
    switch target.kind {
    case .page:
      // If the page is loaded again, the same address is reported again, and loading may fail this
      // time.
      let hasFailed = isSame && target.answers && target.namer?.hasFailed == true
      target.namer = Observation(url: info.url, title: info.title)
      target.namer?.hasFailed = hasFailed
      target.isSure = isSame && target.isSure
    case .failed:
      if target.namer == nil { target.namer = Observation(url: info.url) }
      target.namer?.hasFailed = true
      target.isSure = true
    case .none, .browser: target.isSure = true
    }
    all[index] = target
  }

  private mutating func makeRoom() {
    guard all.count >= Self.limit else { return }
    all.removeFirst()
    // A forgotten page may be reported again, so the order is no longer known.
    for index in all.indices { all[index].isListed = true }
    hasListed = false
  }

  // MARK: Whether pages have loaded

  /// The targets that must be queried whether they were loaded.
  var unasked: [String] { all.filter(\.isUnasked).map(\.id) }

  /// Records that a target was queried.
  mutating func ask(_ target: String) {
    guard let index = all.firstIndex(where: { $0.id == target }) else { return }
    all[index].isUnasked = false
  }

  /// Applies the reply of a target.
  /// - Parameter frame: its outermost frame; nil if the target cannot be queried.
  mutating func answer(_ frame: PageMessages.Frames.Frame?, of id: String) {
    guard let index = all.firstIndex(where: { $0.id == id }) else { return }
    guard let frame else {
      all[index].isUnasked = false
      all[index].isSure = true
      return shown = found
    }
    // The target will be queried again after another change. A new target has an empty document for
    // a moment.
    let isEmpty = ["", ":"].contains(frame.url) || AddressKind(frame.url) == .none
    guard !all[index].isUnasked, frame.unreachableUrl != nil || !isEmpty else { return }
    var target = all[index]
    target.answers = true
    target.isSure = true
    if target.kind == .failed, let wanted = frame.unreachableUrl {
      target.namer = Observation(url: wanted)
    }
    if target.hasAddress || target.kind == .failed {
      target.namer?.hasFailed = frame.unreachableUrl != nil || target.kind == .failed
    }
    all[index] = target
    shown = found
  }

  /// The time at which the shown page got its address or was last loaded; nil if no page is shown.
  var shownTime: Int64? { all.first { $0.id == shownTarget }?.time }

  private func parameters<P: Decodable>(_ type: P.Type, _ message: ArraySlice<UInt8>) -> P? {
    (try? JSON.decode(PageMessages.Event<P>.self, from: message))?.params
  }

  // MARK: Which page is shown

  /// Names the pages without an address by the page that opened them, or by the one below them.
  private mutating func inherit() {
    for index in all.indices
    where all[index].kind == .none && !all[index].url.isEmpty && all[index].namer == nil {
      all[index].namer = opener(of: all[index])?.namer
      // The order of listed pages is unknown, so it is unknown which one lies below.
      if all[index].namer == nil, !all[index].isListed {
        all[index].namer = all[..<index].last { $0.namer != nil }?.namer
      }
    }
  }

  private func opener(of target: Target) -> Target? {
    target.opener.flatMap { id in all.first { $0.id == id } }
  }

  private var found: Page? {
    guard let index = all.lastIndex(where: { $0.namer != nil }),
      let namer = all[index].namer
    else {
      // There are only pages of the browser itself, or unknown pages.
      let covers = all.filter { !$0.url.isEmpty }.flatMap { Observation.withSubject($0.url) }
      return covers.isEmpty
        ? nil
        : Page(target: all.last?.id ?? "", url: "", title: "", hasAddress: false, covers: covers)
    }
    let target = all[index]
    var covers: [Observation] = []
    if !target.hasAddress {
      covers = target.url.isEmpty ? [] : Observation.withSubject(target.url)
      let below = target.kind == .none ? all[..<index].last { $0.namer != nil } : nil
      covers += [opener(of: target)?.namer, below?.namer].compactMap { $0 }
    }
    // Pages that lie over it have no name, but may have a mask.
    for above in all[(index + 1)...] where !above.url.isEmpty {
      covers += Observation.withSubject(above.url)
    }
    if target.isListed {
      for other in all where other.isListed && other.id != target.id {
        covers += other.namer.map { [$0] } ?? Observation.withSubject(other.url)
      }
    }
    covers.removeAll { $0 == namer }
    return Page(
      target: target.id, url: namer.url ?? "", title: namer.title ?? "",
      hasAddress: target.hasAddress, hasFailed: namer.hasFailed, isSure: target.isSure,
      isListing: isListing, covers: covers)
  }
}
