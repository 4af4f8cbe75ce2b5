internal import LinuxIO
internal import Text
internal import TouchModel
internal import TouchgridAPI

/// The controls of a page, as reported by the script in it. The page may have forged any text and
/// number.
struct PageControls: Decodable, Equatable, Sendable {
  struct Place: Decodable, Equatable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// - Returns: nil if it is impossible as a rectangle on a display.
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

    /// - Returns: nil if the control cannot be on a display.
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

  /// Returns the events for the controls of the shown page.
  /// - Parameter controls: nil if the controls are unknown.
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

  /// - Returns: nil if the page does not fill the screen, or if its size is impossible.
  func observed(on display: String?, at time: Int64) -> ObservedControls? {
    guard fills, (1...100_000).contains(width), (1...100_000).contains(height) else { return nil }
    return ObservedControls(
      display: display, url: url, width: width, height: height,
      items: items.prefix(ScreenControls.limit).compactMap(\.observed), time: time,
      secrets: secrets.prefix(64).compactMap(\.rectangle))
  }
}

/// The response of a page to a touch of a control, as reported by the script in it.
struct PageResponse: Decodable, Equatable, Sendable {
  var url: String
  var item: PageControls.Item
  /// The time since the touch ended, in ms.
  var agoMs: Double
  /// The time from touch-up to a change of the page near the touch, in ms; nil if there was none.
  var responseMs: Double?
  /// Whether the page is about to be replaced, which will be the response.
  var leaves: Bool

  /// - Parameter time: the time of the report on `CLOCK_MONOTONIC`, in µs.
  /// - Returns: nil if the numbers are impossible.
  func observed(on display: String?, at time: Int64) -> ObservedResponse? {
    guard (0...5000).contains(agoMs), (0...5000).contains(responseMs ?? 0),
      let item = item.observed
    else { return nil }
    // A page that was stopped may report a change that came too late.
    let milliseconds = responseMs.map { Int64($0.rounded()) }
    return ObservedResponse(
      display: display, url: url, item: item, ended: time - Int64(1000 * agoMs),
      milliseconds: milliseconds.flatMap { $0 <= API.AddResponse.limitMs ? $0 : nil },
      leaves: leaves)
  }
}

/// A report of the script in a page.
enum PageReport: Equatable, Sendable {
  case controls(PageControls)
  case response(PageResponse)

  /// - Returns: nil if the text is not a report.
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
