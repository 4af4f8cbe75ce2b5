import Heatmaps
import Text
import TouchModel
import TouchgridAPI

/// A small map of one display, with its touches and their recent positions.
struct LiveMap {
  /// The time for which a position is shown after a finger has left it, in µs.
  static let memory: Int64 = 1_500_000

  private struct Finger {
    var point: API.Point
    var screen: String
  }

  private struct Footprint {
    var point: API.Point
    var leftAtUs: Int64
  }

  /// The requested display; nil for the display of the last touch.
  private let wanted: String?
  private var displays: [String: API.Display] = [:]
  private var shown: String?
  private var fingers: [Int64: Finger] = [:]
  private var footprints: [Footprint] = []
  private var touches = 0

  init(display: String?) { wanted = display }

  /// Whether there are recent positions, so that the map will change.
  var isFading: Bool { !footprints.isEmpty }

  mutating func apply(_ frame: API.WatchTouches.Reply) {
    if let all = frame.displays {
      displays = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    for touch in frame.touches where wanted == nil || wanted == touch.display {
      if touch.display != shown {
        // The touches of the other display are no longer shown.
        fingers = [:]
        footprints = []
        shown = touch.display
      }
      if touch.phase == .began { touches += 1 }
      if let finger = fingers[touch.id], finger.point != touch.point {
        footprints.append(Footprint(point: finger.point, leftAtUs: frame.atUs))
      }
      switch touch.phase {
      case .began, .moved, .stationary:
        fingers[touch.id] = Finger(point: touch.point, screen: touch.screen)
      case .ended, .cancelled:
        if fingers.removeValue(forKey: touch.id) != nil {
          footprints.append(Footprint(point: touch.point, leftAtUs: frame.atUs))
        }
      }
    }
    // Limit the memory and the work, even if a flood of frames arrives.
    if footprints.count > 2000 { footprints.removeFirst(footprints.count - 2000) }
  }

  mutating func forget(before now: Int64) {
    footprints.removeAll { now - $0.leftAtUs > Self.memory }
  }

  private var display: API.Display? {
    let name = wanted ?? shown
    if let name { return displays[name] }
    return displays.values.min { $0.name < $1.name }
  }

  // MARK: Drawing

  /// Returns the lines of the map. They fit the terminal.
  /// - Parameters:
  ///   - now: the time on `CLOCK_MONOTONIC`, in µs.
  func lines(width: Int, height: Int, now: Int64, colours: TerminalColours) -> [String] {
    guard let display else {
      let name = wanted.map { " " + $0.printable() } ?? ""
      return [truncated("There is no display\(name) with a touchscreen.", to: width)]
    }
    // The reply is untrusted: `displayGeometry` is nil if a value is out of range.
    guard let geometry = display.geometry.displayGeometry, width > 4, height > 5 else { return [] }
    let map = CharacterMap(geometry, maxColumns: width - 2, maxRows: height - 5)
    let cells = cells(of: map, now: now)
    let head = [
      "\(display.name.printable()) shows \(display.screen.printable())",
      "\(counted(UInt64(touches), "touch", "touches")) since the start, \(fingers.count) down",
    ]
    let foot = "\(geometry.text); Ctrl-C ends"
    return head.map { truncated($0, to: width) } + map.lines { draw(cells[$0], colours) }
      + [truncated(foot, to: width)]
  }

  private enum Cell {
    case empty, old, fresh, finger
  }

  private func cells(of map: CharacterMap, now: Int64) -> [Cell] {
    var cells = Array(repeating: Cell.empty, count: map.columns * map.rows)
    for footprint in footprints {
      let isOld = now - footprint.leftAtUs > Self.memory / 3
      cells[map.index(x: footprint.point.x, y: footprint.point.y)] = isOld ? .old : .fresh
    }
    for finger in fingers.values {
      cells[map.index(x: finger.point.x, y: finger.point.y)] = .finger
    }
    return cells
  }

  private func draw(_ cell: Cell, _ colours: TerminalColours) -> String {
    switch cell {
    case .empty: " "
    case .old: "."
    case .fresh: "o"
    case .finger: colours == .plain ? "@" : "\u{1b}[7m@\u{1b}[0m"
    }
  }
}
