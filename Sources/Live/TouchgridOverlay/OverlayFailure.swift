/// The reasons why the overlay cannot run.
public enum OverlayFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// No window system answers. The message has the reason and the remedy.
  case unreachable(String)
  /// The compositor has no layer shell.
  case noLayerShell(isForBubbles: Bool)
  /// The X server has no shape extension.
  case noShapes
  /// The desktop does not report whether its outputs are lit.
  case noPower
  /// The daemon does not let this user watch touches. The message has the remedy.
  case notPermitted(String)
  case system(String)

  /// The exit status, from `sysexits.h`.
  public var status: Int32 {
    switch self {
    case .unreachable, .noLayerShell, .noShapes, .noPower: 69
    case .notPermitted: 77
    case .system: 71
    }
  }

  private static let instead = """
    You can add touches to a video afterwards: run "touchgrid track" while you film, then \
    "touchgrid subtitles".
    """

  public var description: String {
    switch self {
    case .unreachable(let message): message
    case .noLayerShell(let isForBubbles):
      """
      this Wayland compositor does not support the layer shell, without which no window lies above all \
      others (sway, labwc, wayfire and KDE do; GNOME and cage do not). On GNOME, log in to an X11 \
      session.\(isForBubbles ? " " + Self.instead : "")
      """
    case .noShapes:
      """
      this X server does not support the shape extension, which the overlay needs to let touches through. \
      \(Self.instead)
      """
    case .noPower:
      """
      this desktop does not report whether its outputs are lit, by wlr-output-power-management or by \
      the screen saver of X11: give --idle, --dim and --wake
      """
    case .notPermitted(let message): message
    case .system(let message): message
    }
  }
}
