internal import LinuxIO
internal import Text
public import TouchFeedback
internal import TouchModel
internal import TouchgridAPI

public struct OverlayOptions: Sendable {
  /// The window system to draw on.
  public enum Backend: String, CaseIterable, Sendable {
    /// Wayland if there is a compositor, otherwise X11.
    case auto
    case wayland
    case x11
  }

  /// The path of the daemon's socket.
  public var socket: String
  public var style: BubbleStyle
  /// The names of outputs, by the daemon's name of the display, for displays whose output has
  /// another name.
  public var outputs: [String: String]
  public var backend: Backend

  public init(
    socket: String, style: BubbleStyle = BubbleStyle(), outputs: [String: String] = [:],
    backend: Backend = .auto
  ) {
    self.socket = socket
    self.style = style
    self.outputs = outputs
    self.backend = backend
  }
}

extension OverlayOptions {
  /// Returns the reason why a daemon can never listen at `path`; nil if one can.
  public static func fault(ofSocket path: String) -> String? {
    let name = path.printable(limit: 4096)
    if path.isEmpty { return "it is empty" }
    // The maximum length of a socket's path: see `unix(7)`.
    if path.utf8.count > 107 {
      return "\(name) is longer than 107 bytes, the limit for the path of a socket"
    }
    return TouchgridClient.isOther(path) ? "\(name) is not a socket" : nil
  }
}

extension OverlayOptions.Backend {
  /// Returns GDK's name of the backend. `auto` prefers Wayland to X11, because Xwayland would show
  /// the bubbles only above the windows of X11 programs.
  /// - Throws: If the environment names no window system.
  func name() throws(OverlayFailure) -> String {
    switch self {
    case .wayland: return "wayland"
    case .x11: return "x11"
    case .auto:
      if Environment.value("WAYLAND_DISPLAY") != nil { return "wayland" }
      if Environment.value("DISPLAY") != nil { return "x11" }
      throw .noDesktop(nil)
    }
  }
}
