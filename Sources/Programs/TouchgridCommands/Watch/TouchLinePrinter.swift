import Heatmaps
import Text
import TouchModel
import TouchgridAPI

/// Turns live touches into lines of text.
struct TouchLinePrinter {
  /// Whether to show moves and resting fingers as well.
  let showsMoves: Bool
  /// The only display to show; nil for all.
  let display: String?
  /// The time of day when `CLOCK_MONOTONIC` was 0, in ms since 1970-01-01 00:00 UTC.
  let wallOrigin: Int64

  private var displays: [String: API.Display] = [:]

  init(showsMoves: Bool, display: String?, wallOrigin: Int64) {
    self.showsMoves = showsMoves
    self.display = display
    self.wallOrigin = wallOrigin
  }

  mutating func lines(for frame: API.WatchTouches.Reply) -> [String] {
    let time = time(frame.atUs)
    var lines: [String] = []
    for display in frame.displays ?? [] where isWanted(display.name) {
      let old = displays.updateValue(display, forKey: display.name)
      if old?.screen != display.screen || old?.geometry != display.geometry {
        lines.append(
          "\(time)  \(display.name.printable()), \(display.geometry.text), "
            + "shows \(display.screen.printable())")
      }
    }
    for touch in frame.touches where isWanted(touch.display) && (showsMoves || !touch.isMove) {
      lines.append("\(time)  \(words(touch))")
    }
    return lines
  }

  private func isWanted(_ name: String) -> Bool { display == nil || display == name }

  private func words(_ touch: API.Touch) -> String {
    // Leave out the upper 32 bits, which identify the run of the daemon.
    let number = touch.id & 0xffff_ffff
    var words = padded("\(touch.phase.rawValue)", to: 10) + padded("#\(number)", to: 7)
    words += padded(
      "(\(tenths(touch.point.x)), \(tenths(touch.point.y)))", to: 18)
    words += "block \(touch.block.column),\(touch.block.row)"
    words += "  \(touch.screen.printable())"
    if displays.count > 1 { words += " on \(touch.display.printable())" }
    var notes = touch.preexisting ? ["down before the start"] : []
    if let cancellation = touch.cancellation { notes.append(cancellation.rawValue) }
    return notes.isEmpty ? words : words + " [\(notes.joined(separator: ", "))]"
  }

  /// Returns the local time of day, such as `14:03:12.345`.
  private func time(_ monotonic: Int64) -> String {
    let (wall, overflows) = wallOrigin.addingReportingOverflow(monotonic / 1000)
    guard !overflows, let local = LocalTime(WallTime(milliseconds: wall)) else { return "?" }
    return "\(local.clockText).\(padded((wall % 1000 + 1000) % 1000, 3))"
  }
}

extension API.Touch {
  fileprivate var isMove: Bool {
    switch phase {
    case .moved, .stationary: true
    case .began, .ended, .cancelled: false
    }
  }
}

private func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - textWidth(text)))
}

/// Returns a number with one decimal.
private func tenths(_ value: Double) -> String {
  guard abs(value) < 1e12 else { return value.description }
  let tenths = Int64((value * 10).rounded())
  return (tenths < 0 ? "-" : "") + "\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
}
