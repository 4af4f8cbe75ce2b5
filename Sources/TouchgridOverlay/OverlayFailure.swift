/// Why there is no overlay.
public enum OverlayFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// No window system answers; which was asked, nil where the environment names none.
  case noDesktop(String?)
  /// The compositor has no layer shell.
  case noLayerShell
  /// The X server has no shape extension.
  case noShapes
  /// The daemon lets others watch; its words.
  case notPermitted(String)
  case system(String)

  /// `sysexits.h`.
  public var status: Int32 {
    switch self {
    case .noDesktop, .noLayerShell, .noShapes: 69
    case .notPermitted: 77
    case .system: 71
    }
  }

  private static let instead = """
    Touches can be shown in a film made without it: "touchgrid record" while it is filmed, then \
    "touchgrid subtitles".
    """

  public var description: String {
    switch self {
    case .noDesktop(let name):
      switch name {
      case "wayland": "no Wayland compositor answers; is WAYLAND_DISPLAY right?"
      case .some: "no X server answers; is DISPLAY right, and may this user connect?"
      case nil:
        """
        there is no desktop to draw on: neither WAYLAND_DISPLAY nor DISPLAY is set. Run it inside of the \
        session, or by "touchgrid overlay on".
        """
      }
    case .noLayerShell:
      """
      this Wayland compositor lets no program draw above all others: it has no layer shell (GNOME and cage \
      have none; sway, labwc, wayfire and KDE do). On GNOME, log in to an X11 session. \(Self.instead)
      """
    case .noShapes:
      """
      this X server lacks the shape extension, without which windows would take the touches that they show. \
      \(Self.instead)
      """
    case .notPermitted(let message): message
    case .system(let message): message
    }
  }
}
