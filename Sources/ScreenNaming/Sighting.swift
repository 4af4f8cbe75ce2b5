/// What a source saw to be shown: as much of it as it knows.
public struct Sighting: Hashable, Sendable {
  /// What the source itself calls it: rules about pages and windows do not concern it.
  public var name: String?
  /// The page's address, as the browser has it.
  public var url: String?
  /// Wayland's app id, or the class of an X11 window.
  public var app: String?
  /// Of the window or the page.
  public var title: String?

  /// Of the address what may be printed: no user name, query string nor fragment, and of what is no page of the web the
  /// scheme alone. nil: there is none.
  public var plainAddress: String? {
    guard let page = url.flatMap({ PageAddress($0) }) else { return nil }
    guard ["http", "https", "file"].contains(page.scheme) else { return "\(page.scheme):" }
    return "\(page.scheme)://\(page.host)/\(page.segments.joined(separator: "/"))"
  }

  public init(
    name: String? = nil, url: String? = nil, app: String? = nil, title: String? = nil
  ) {
    self.name = name
    self.url = url
    self.app = app
    self.title = title
  }
}
