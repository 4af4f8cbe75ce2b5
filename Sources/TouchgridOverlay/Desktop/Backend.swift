internal import TouchFeedback

/// A kind of desktop: how a picture comes above everything else there.
protocol Backend: AnyObject {
  /// What new panes are drawn on.
  var surface: Surface { get }

  /// Called when a pane was closed.
  var closed: (() -> Void)? { get set }

  /// What a person who films should know of this desktop.
  var caution: String? { get }

  /// - Parameter tick: called at most once a refresh after `wake`; whether it is to be called at the next refresh as
  ///   well.
  func makePane(on output: Output, _ tick: @escaping (any Pane) -> Bool) -> any Pane
}

/// What lies over one output, above everything else and without input. It goes with its last owner.
protocol Pane: AnyObject {
  var output: Output { get }
  var surface: Surface { get }
  /// The daemon's displays that it shows.
  var displays: [String] { get set }
  /// In points of the output.
  var width: Double { get }
  var height: Double { get }

  /// The desktop wants it no longer: another is to be made in its place.
  var isClosed: Bool { get }
  /// Something lies above it that nothing may cover, so that nothing is drawn.
  var isCovered: Bool { get }

  /// Asks for a tick.
  func wake()
  /// Draws what differs from what is seen.
  func show(_ picture: Picture)
}
