internal import Glibc
public import TouchFeedback

/// What an overlay is to do.
public struct OverlayOptions: Sendable {
  /// The window system to draw on.
  public enum Backend: String, CaseIterable, Sendable {
    /// Wayland where there is a compositor, else X11.
    case auto
    case wayland
    case x11
  }

  /// Of the daemon's socket.
  public var socket: String
  public var style: BubbleStyle
  /// Output by display of the daemon, where their names differ.
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

extension OverlayOptions.Backend {
  /// GDK's word for it. X11 is never taken where there is a compositor: Xwayland would show the bubbles among the windows
  /// of other programs for X11 alone.
  func name() throws(OverlayFailure) -> String {
    switch self {
    case .wayland: return "wayland"
    case .x11: return "x11"
    case .auto:
      if Self.isSet("WAYLAND_DISPLAY") { return "wayland" }
      if Self.isSet("DISPLAY") { return "x11" }
      throw .noDesktop(nil)
    }
  }

  private static func isSet(_ name: String) -> Bool {
    guard let value = unsafe getenv(name) else { return false }
    return unsafe value.pointee != 0
  }
}
