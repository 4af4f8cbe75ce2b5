internal import LinuxIO

/// The page that a browser shows, as the extension reports it.
struct ExtensionPage: Decodable {
  /// The address; nil if no page is shown.
  var url: String?
  var title: String?
  /// When the page changed, in ms since 1970, on the system clock.
  var atMs: Double?

  /// Returns the page as an observation of a display.
  func seen(on display: String?) -> ObservedScreen {
    let content = url.map { ObservedScreen.Content.sighting(Observation(url: $0, title: title)) }
    return ObservedScreen(
      display: display, content: content ?? .nothing, time: Clocks.monotonic - age)
  }

  /// The time since the change, in µs, at most one second. It is 0 if the message has no time, or
  /// if the difference is out of range because the system clock was set.
  private var age: Int64 {
    guard let atMs else { return 0 }
    let age = Double(Clocks.wall) - atMs
    return age > 0 && age <= 1000 ? Int64(age * 1000) : 0
  }
}
