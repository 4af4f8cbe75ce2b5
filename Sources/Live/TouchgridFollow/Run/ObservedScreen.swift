/// An observation of a source on a display at some time.
struct ObservedScreen: Equatable {
  enum Content: Equatable {
    case sighting(Observation)
    /// Nothing is shown.
    case nothing
    /// The source does not know the shown screen, because the observed program has ended.
    case unknown
  }

  /// The daemon's name of the display; nil for all displays.
  var display: String?
  var content: Content
  /// The time of the observation on `CLOCK_MONOTONIC`, in µs.
  var time: Int64
}

/// A source of observations. It starts when it is created and ends when its owner releases it. If
/// the observed program ends, the source restarts it, reconnects to it, or waits for another one. A
/// source that cannot reports `SourceEvent.end`.
protocol ObservationSource: AnyObject {
  /// Collects the controls again, because the screen has a new name. A source that reports each
  /// change of a page by itself can ignore this.
  func lookForControls()

  /// Takes a picture of the shown page, which arrives as `SourceEvent.picture`. Sources without
  /// pages do nothing.
  func takePicture()
}

extension ObservationSource {
  func lookForControls() {}
  func takePicture() {}
}

enum SourceEvent {
  case seen(ObservedScreen)
  case mode(DisplayMode)
  case controls(ObservedControls)
  case response(ObservedResponse)
  /// A picture of the shown page, as PNG, and the address of the page, which was the same before
  /// and after.
  case picture([UInt8], url: String)
  /// The controls of a display are unknown: it shows nothing, or a page that does not fill it.
  case noControls(display: String?)
  /// The state of the source, as text for users.
  case state(String)
  /// The source has ended; no event follows.
  case end
}
