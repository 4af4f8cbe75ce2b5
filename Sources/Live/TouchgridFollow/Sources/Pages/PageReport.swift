internal import LinuxIO
internal import Text
internal import TouchModel
internal import TouchgridAPI

/// Where the controls of a page are, as the script in it says. Every text and number in it may be
/// the page's.
struct PageControls: Decodable, Equatable, Sendable {
  struct Place: Decodable, Equatable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// - Returns: nil if it cannot be a place on a display.
    var rectangle: Rectangle? {
      guard [x, y, width, height].allSatisfy({ abs($0) <= 100_000 }) else { return nil }
      return Rectangle(x: x, y: y, width: width, height: height)
    }
  }

  struct Item: Decodable, Equatable, Sendable {
    var role: String
    var label: String
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// - Returns: nil if it cannot be on a display.
    var observed: ObservedControls.Item? {
      Place(x: x, y: y, width: width, height: height).rectangle.map {
        ObservedControls.Item(role: role, label: label, rectangle: $0)
      }
    }
  }

  var url: String
  /// The size of the browser's screen, in CSS pixels without zoom.
  var width: Double
  var height: Double
  /// Whether the page fills the screen.
  var fills: Bool
  var items: [Item]
  var secrets: [Place]

  /// Returns the events for the controls of the page that is shown.
  /// - Parameter controls: nil if the controls are not known.
  static func events(
    _ controls: Self?, on display: String?, at time: Int64
  ) -> [SourceEvent] {
    let observed = controls?.observed(on: display, at: time)
    var events = [observed.map { .controls($0) } ?? SourceEvent.noControls(display: display)]
    if let controls, !controls.fills {
      events.append(
        .state(
          "the page does not fill the screen, so its controls are not counted: show it full screen"
        ))
    }
    return events
  }

  /// - Returns: nil if the page does not fill the screen, or if its size cannot be one.
  func observed(on display: String?, at time: Int64) -> ObservedControls? {
    guard fills, (1...100_000).contains(width), (1...100_000).contains(height) else { return nil }
    return ObservedControls(
      display: display, url: url, width: width, height: height,
      items: items.prefix(ScreenControls.limit).compactMap(\.observed), time: time,
      secrets: secrets.prefix(64).compactMap(\.rectangle))
  }
}

/// How a page responded to a touch of a control, as the script in it says.
struct PageResponse: Decodable, Equatable, Sendable {
  var url: String
  var item: PageControls.Item
  /// How long ago the touch ended, in ms.
  var agoMs: Double
  /// The time from then until the page changed near it; nil if it did not.
  var responseMs: Double?
  /// Whether the page is about to go away, which will be the response.
  var leaves: Bool

  /// - Parameter time: when the page said so on `CLOCK_MONOTONIC`, in µs.
  /// - Returns: nil if the numbers cannot be.
  func observed(on display: String?, at time: Int64) -> ObservedResponse? {
    guard (0...5000).contains(agoMs), (0...5000).contains(responseMs ?? 0),
      let item = item.observed
    else { return nil }
    // A page that was stopped may tell of a change that came too late.
    let milliseconds = responseMs.map { Int64($0.rounded()) }
    return ObservedResponse(
      display: display, url: url, item: item, ended: time - Int64(1000 * agoMs),
      milliseconds: milliseconds.flatMap { $0 <= API.AddResponse.limitMs ? $0 : nil },
      leaves: leaves)
  }
}

/// What the script in a page says.
enum PageReport: Equatable, Sendable {
  case controls(PageControls)
  case response(PageResponse)

  /// - Returns: nil if the text is neither.
  init?(_ text: String) {
    let bytes = Array(text.utf8)[...]
    if let controls = try? JSON.decode(PageControls.self, from: bytes) {
      self = .controls(controls)
    } else if let response = try? JSON.decode(PageResponse.self, from: bytes) {
      self = .response(response)
    } else {
      return nil
    }
  }
}
