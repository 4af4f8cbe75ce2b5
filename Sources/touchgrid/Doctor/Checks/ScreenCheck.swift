import TouchModel
import TouchgridAPI

/// Checks that the screens have names.
enum ScreenCheck {
  /// - Parameters:
  ///   - displays: the displays that touchscreens lie on.
  ///   - followers: the number of programs that follow the shown screen.
  /// - Returns: nil if there is no touchscreen.
  static func finding(_ displays: [API.Display], followers: Int) -> Finding? {
    if displays.isEmpty { return nil }
    let unnamed = SessionRecorder.initialScreen
    if displays.contains(where: { $0.screen != unnamed }) {
      let shown = displays.map { display in
        display.screen.printable() + (displays.count > 1 ? " on \(display.name.printable())" : "")
      }
      return .ok("shown now: \(shown.joined(separator: ", "))")
    }
    let text = "no screen has a name now: touches belong to \(unnamed)"
    if followers > 0 {
      return .warning(
        text,
        """
        somebody follows what is shown, and finds nothing that has a name: the log of touchgrid-follow says \
        more, and 'touchgrid-follow --dry-run' in the session that it follows prints what it sees
        """)
    }
    return .warning(
      text,
      """
      where nobody ever names them: touchgrid-follow does, by what is shown, or the app itself: \
      docs/follow.md, docs/apps.md
      """)
  }
}
