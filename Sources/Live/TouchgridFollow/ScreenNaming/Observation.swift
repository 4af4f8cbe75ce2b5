/// An observed page or window, with everything that its source knows about it.
public struct Observation: Hashable, Sendable {
  /// The name that the source itself gives. Rules for pages and windows do not apply to it.
  public var name: String?
  /// The address of the page, as the browser reports it.
  public var url: String?
  /// The app ID of a Wayland window, or the class of an X11 window.
  public var app: String?
  /// The title of the window or the page.
  public var title: String?
  /// Whether the page could not be loaded, so that the browser shows an error page in its place.
  public var hasFailed = false
  /// Pages whose masks also hold for this one, because it may cover or replace them.
  public var covers: [Observation] = []

  /// The part of the address that may be printed: without user name, query string and fragment. For
  /// schemes other than `http`, `https` and `file`, only the scheme. nil if there is no address, or
  /// one without a valid scheme.
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
