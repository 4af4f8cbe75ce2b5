import Heatmaps
import Text
import TouchModel
import TouchgridAPI

/// Warns about masks that cover whole screens only because the size of a display, or the display of
/// a touchscreen, is a guess.
enum MaskCheck {
  /// - Returns: nil if there are no masks.
  static func finding(_ masks: API.GetMasks.Reply) -> Finding? {
    let count = masks.configured.count + masks.added.count
    guard count > 0 else { return nil }
    guard !masks.widened.isEmpty else {
      return .ok("\(counted(UInt64(count), "mask")), none widened to a whole screen")
    }
    let places = masks.widened.map { mask in
      mask.screen.printable() + (mask.display.map { " on \($0.printable())" } ?? "")
    }
    return .warning(
      "masks cover whole screens, because the size of a display, or the display of a touchscreen, "
        + "is only guessed: " + places.joined(separator: ", "),
      """
      switch the monitor on, or configure what is guessed: width, height and scale in [[display]], \
      the display of a touchscreen in [[device]]. 'touchgrid devices' and 'touchgrid displays' \
      show the current values; 'sudo systemctl reload touchgridd' applies the configuration
      """)
  }
}
