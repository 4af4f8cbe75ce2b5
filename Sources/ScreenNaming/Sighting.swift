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

  public init(
    name: String? = nil, url: String? = nil, app: String? = nil, title: String? = nil
  ) {
    self.name = name
    self.url = url
    self.app = app
    self.title = title
  }
}
