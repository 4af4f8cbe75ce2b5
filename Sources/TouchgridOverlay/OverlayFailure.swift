/// The reasons why the overlay cannot run.
public enum OverlayFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// No window system answers. The message says why, and what to do.
  case unreachable(String)
  /// The compositor has no layer shell.
  case noLayerShell
  /// The X server has no shape extension.
  case noShapes
  /// The daemon does not let this user watch touches. The message says what to do.
  case notPermitted(String)
  case system(String)

  /// The exit status, from `sysexits.h`.
  public var status: Int32 {
    switch self {
    case .unreachable, .noLayerShell, .noShapes: 69
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
    case .unreachable(let message): message
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
