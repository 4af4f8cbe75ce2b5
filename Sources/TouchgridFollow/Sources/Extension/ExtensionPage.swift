internal import LinuxIO
internal import ScreenNaming
internal import Varlink

/// A message of the extension: the page that a browser shows.
struct ExtensionPage: Decodable {
  /// nil: none is shown.
  var url: String?
  var title: String?
  /// When it changed, in milliseconds since 1970, by the clock that everybody has.
  var atMs: Double?

  /// - Returns: nil where the message is no such.
  init?(message: [UInt8]) {
    guard let page = ForeignJSON.decode(Self.self, from: message[...]) else { return nil }
    self = page
  }

  /// What is said by it, now.
  func seen(on display: String?) -> SeenScreen {
    let content = url.map { SeenScreen.Content.sighting(Sighting(url: $0, title: title)) }
    return SeenScreen(display: display, content: content ?? .nothing, time: Clocks.monotonic - age)
  }

  /// How long ago it was, in microseconds, at most a second: of a clock that was set meanwhile nothing is to be believed.
  private var age: Int64 {
    guard let atMs else { return 0 }
    let age = Double(Clocks.wall) - atMs
    return age > 0 && age <= 1000 ? Int64(age * 1000) : 0
  }
}
