/// What a source observes on a display at some time.
struct ObservedScreen: Equatable {
  enum Content: Equatable {
    case sighting(Observation)
    /// Nothing is shown.
    case nothing
    /// The source does not know what is shown, because the program that it observes is gone.
    case unknown
  }

  /// The daemon's name of the display; nil for all displays.
  var display: String?
  var content: Content
  /// The time of the observation on `CLOCK_MONOTONIC`, in µs.
  var time: Int64
}

/// A source of observations. It starts when it is created and ends when its owner releases it. If
/// the observed program ends, the source restarts it, connects to it again, or waits for another
/// one; a source that can do none of these reports `SourceEvent.end`.
protocol ObservationSource: AnyObject {
  /// Collects the controls again, because the screen has another name. A source that reports each
  /// change of a page by itself need not do anything.
  func lookForControls()

  /// Takes a picture of the page that is shown. It arrives as `SourceEvent.picture`. Sources without
  /// pages do nothing.
  func takePicture()
}

extension ObservationSource {
  func lookForControls() {}
  func takePicture() {}
}

/// An event of a source.
enum SourceEvent {
  case seen(ObservedScreen)
  case mode(DisplayMode)
  case controls(ObservedControls)
  case response(ObservedResponse)
  /// A picture of the page that is shown, as PNG, and the page's address before and after it was
  /// taken.
  case picture([UInt8], url: String)
  /// The controls of a display are not known: it shows nothing, or a page that does not fill it.
  case noControls(display: String?)
  /// The state of the source, as text for users.
  case state(String)
  /// The source has ended; no event follows.
  case end
}
