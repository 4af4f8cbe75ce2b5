import Text
import TouchModel
import TouchgridAPI

/// Checks that the screens have names.
enum ScreenCheck {
  /// - Parameters:
  ///   - displays: the displays that touchscreens lie on.
  ///   - followers: the number of connected followers.
  /// - Returns: nil if there is no touchscreen.
  static func finding(_ displays: [API.Display], followers: Int) -> Finding? {
    if displays.isEmpty { return nil }
    let unnamed = SessionRecorder.initialScreen
    if displays.contains(where: { $0.screen != unnamed }) {
      let shown = displays.map { display in
        display.screen.printable() + (displays.count > 1 ? " on \(display.name.printable())" : "")
      }
      return .ok("screens shown now: \(shown.joined(separator: ", "))")
    }
    let text = "no screen is named now: touches are counted on the screen \"\(unnamed)\""
    if followers > 0 {
      return .warning(
        text,
        """
        a follower is connected but has not named a screen: 'sudo journalctl -b -t \
        touchgrid-follow' shows its log, and 'touchgrid-follow --dry-run' on the same desktop \
        prints what it observes
        """)
    }
    return .warning(
      text,
      """
      if the app has several screens, let touchgrid-follow (docs/follow.md) or the app itself \
      (docs/apps.md) name them
      """)
  }
}
