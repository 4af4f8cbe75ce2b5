internal import TouchFeedback

/// A kind of desktop, with its way of showing a picture above everything else.
protocol Backend: AnyObject {
  /// The surface of new panes.
  var surface: Surface { get }

  /// Called when the desktop has closed a pane.
  var closed: (() -> Void)? { get set }

  /// A warning about this desktop for users who film the screen; nil if there is none.
  var caution: String? { get }

  /// Creates a pane over an output.
  /// - Parameter tick: Called at most once per refresh, after `wake`. Returns whether to call it
  ///   again at the next refresh.
  func makePane(on output: Output, _ tick: @escaping (any Pane) -> Bool) -> any Pane

  /// Creates a window over an output that takes its touches and clicks.
  func makeShield(on output: Output, _ handler: @escaping (Shield.Event) -> Void) -> Shield
}

/// A window over one output that lies above everything else. It is closed when its last owner
/// releases it.
protocol Pane: AnyObject {
  var output: Output { get }
  var surface: Surface { get }
  /// The daemon's displays that the pane shows.
  var displays: [String] { get set }
  /// The size of the pane, in points of the output.
  var width: Double { get }
  var height: Double { get }

  /// Whether the desktop has closed the pane, so that a new one must replace it.
  var isClosed: Bool { get }
  /// Whether a window that must stay on top, such as a lock screen, lies above the pane. Nothing is
  /// drawn then.
  var isCovered: Bool { get }

  /// Requests a call of `tick`.
  func wake()
  /// Shows a picture. Draws only the parts that differ from the current one.
  func show(_ picture: Picture)
}
