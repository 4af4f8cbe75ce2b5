internal import LinuxIO

/// The shown page of a browser, as the extension reports it.
struct ExtensionPage: Decodable {
  struct Other: Decodable {
    var url: String
    var title: String?
  }

  /// The address; nil if no page is shown.
  var url: String?
  var title: String?
  /// The time of the change of the page, in ms since 1970, on the system clock.
  var atMs: Double?
  /// Whether the page could not be loaded; nil if it was.
  var failed: Bool?
  /// The page that opened this one; nil if this one has its own address.
  var opener: Other?
  /// Pages that may lie below this one; nil if this one has its own address.
  var behind: [Other]?

  /// The time since the change, in µs, at most one second. It is 0 if the message has no time, or
  /// if the difference is out of range because the system clock was set.
  private var age: Int64 {
    guard let atMs else { return 0 }
    let age = Double(Clocks.wall) - atMs
    return age > 0 && age <= 1000 ? Int64(age * 1000) : 0
  }

  fileprivate var time: Int64 { Clocks.monotonic - age }
}

/// The page that the extension of one browser reports. The browser's own pages name no screen, and a
/// page without an address of its own keeps the name of the page that opened it, or that was shown
/// before.
struct ExtensionTab {
  /// The last page with an address that was shown.
  private var last: Observation?

  /// Applies a message.
  /// - Returns: the observation of the display.
  mutating func seen(_ page: ExtensionPage, on display: String?) -> ObservedScreen {
    let content = page.url.map { ObservedScreen.Content.sighting(observation($0, page)) }
    return ObservedScreen(display: display, content: content ?? .nothing, time: page.time)
  }

  private mutating func observation(_ url: String, _ page: ExtensionPage) -> Observation {
    let kind = AddressKind(url)
    guard kind != .page else {
      var seen = Observation(url: url, title: page.title)
      seen.hasFailed = page.failed == true
      last = seen
      return seen
    }
    let pages = ([page.opener] + (page.behind ?? [])).compactMap { $0 }
      .filter { AddressKind($0.url) == .page }.map { Observation(url: $0.url, title: $0.title) }
    let opener = kind == .none && page.opener != nil ? pages.first : nil
    var seen = opener ?? last ?? pages.first ?? Observation()
    if kind == .failed { seen.hasFailed = true }
    seen.covers = Observation.withSubject(url) + [last].compactMap { $0 } + pages
    return seen
  }
}
