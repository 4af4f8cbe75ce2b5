import GridFormats
import TouchModel
import TouchgridAPI

/// Is it known which screen is shown?
enum ScreenCheck {
  /// - Parameters:
  ///   - displays: those that touchscreens lie on.
  ///   - followers: programs that follow what is shown.
  /// - Returns: nil where there is no touchscreen.
  static func finding(_ displays: [API.Display], followers: Int) -> Finding? {
    if displays.isEmpty { return nil }
    let unnamed = SessionRecorder.initialScreen
    let named = displays.map(\.screen).filter { $0 != unnamed }
    if !named.isEmpty {
      let names = Set(named).sorted().map { $0.printable() }
      return .ok("shown now: \(names.joined(separator: ", "))")
    }
    if followers > 0 {
      return .warning(
        "what is shown is followed, and no screen has a name now: touches are counted on \(unnamed)",
        "'touchgrid-follow --dry-run' prints what it sees, and the screens that come of it")
    }
    return .warning(
      "nobody names screens: all touches are counted on one, \(unnamed)",
      "touchgrid-follow names them by what is shown ('man touchgrid-follow'), or the app does it itself"
    )
  }
}
