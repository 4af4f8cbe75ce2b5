internal import LinuxIO
public import TouchFeedback
internal import TouchModel
internal import TouchgridAPI

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

extension OverlayOptions {
  /// Why no daemon can ever be found at a path, as it is now; nil where one may.
  public static func fault(ofSocket path: String) -> String? {
    let name = path.printable(limit: 4096)
    if path.isEmpty { return "it is empty" }
    // `unix(7)`
    if path.utf8.count > 107 { return "\(name) has more than 107 bytes" }
    return TouchgridClient.isOther(path) ? "\(name) is no socket" : nil
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
      if Environment.value("WAYLAND_DISPLAY") != nil { return "wayland" }
      if Environment.value("DISPLAY") != nil { return "x11" }
      throw .noDesktop(nil)
    }
  }
}
