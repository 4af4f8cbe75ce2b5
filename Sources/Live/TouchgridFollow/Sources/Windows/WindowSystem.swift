/// A window on an output.
struct ShownWindow: Equatable {
  /// The output; nil if there is only one, or if it is not known.
  var output: String?
  /// The app ID of a Wayland window, or the class of an X11 window.
  var app: String
  var title: String
  /// Whether the window covers its output: on Wayland, whether it is in the state "fullscreen".
  var isFullScreen: Bool
}

/// The mode in which a compositor drives a display.
struct DisplayMode: Equatable {
  /// A size in pixels before rotation; both sides are above 0.
  struct Size: Equatable {
    var width: Int
    var height: Int
  }

  /// The name of the output, or the daemon's name of the display.
  var display: String
  /// The size; nil if the compositor no longer drives the display.
  var size: Size?
}

/// A connection to a window system. It closes when its owner releases it.
protocol WindowSystem: AnyObject {
  /// Connects to the window system.
  /// - Throws: The reason why it cannot connect, as text for users.
  init() throws(WindowSystemRefusal)

  /// The name of the window system in messages.
  static var name: String { get }

  var descriptor: Int32 { get }
  /// Reads the events that have arrived, without waiting.
  /// - Returns: Whether something may have changed; nil if the connection is lost.
  func readPending() -> Bool?
  /// Whether events have arrived together with a reply, so that the descriptor is not readable.
  var hasNews: Bool { get }
  /// The shown windows, at most one on each output.
  var windows: [ShownWindow] { get }
  /// The current modes of the outputs, with their names; empty if the window system reports none.
  var modes: [DisplayMode] { get }
}

extension WindowSystem {
  var modes: [DisplayMode] { [] }
}

struct WindowSystemRefusal: Error {
  let reason: String
}
