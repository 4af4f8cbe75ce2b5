internal import ScreenNaming

/// What a source has to say of a display.
struct SeenScreen: Equatable {
  enum Content: Equatable {
    case sighting(Sighting)
    /// Nothing is shown.
    case nothing
    /// The source cannot tell: what it looked at is gone.
    case unknown
  }

  /// As the daemon calls it; nil: all displays.
  var display: String?
  var content: Content
  /// On `CLOCK_MONOTONIC`, in microseconds: when the source saw it.
  var time: Int64
}

/// What sees screens. It begins when it is made, ends with its owner, and begins anew by itself whatever happens to what it
/// looks at.
protocol SightingSource: AnyObject {}

/// What a source tells.
enum SourceEvent {
  case seen(SeenScreen)
  case mode(DisplayMode)
  /// How it is, for people.
  case state(String)
  /// Nothing more will come.
  case end
}
