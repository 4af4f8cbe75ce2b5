/// A window on an output.
struct SeenWindow: Equatable {
  /// nil where there is only one.
  var output: String?
  /// Wayland's app id, or the class of an X11 window.
  var app: String
  var title: String
}

/// The mode in which a display is driven.
struct DisplayMode: Equatable {
  /// As the daemon calls it.
  var display: String
  /// In pixels before rotation, above 0.
  var width: Int
  var height: Int
}

/// A connection to what shows windows; it ends with its owner.
protocol WindowSystem: AnyObject {
  /// Connects.
  /// - Throws: why not, for people.
  init() throws(WindowSystemRefusal)

  /// For messages.
  static var name: String { get }

  var descriptor: Int32 { get }
  /// Takes what has come in, without waiting.
  /// - Returns: whether something may have changed; nil: it is gone.
  func take() -> Bool?
  /// Something has come in that makes the descriptor readable no more.
  var hasNews: Bool { get }
  /// What is shown, at most one window an output.
  var windows: [SeenWindow] { get }
  /// The modes of its outputs, by the names of these; empty where it does not tell them.
  var modes: [DisplayMode] { get }
}

extension WindowSystem {
  var modes: [DisplayMode] { [] }
}

struct WindowSystemRefusal: Error {
  let reason: String
}
