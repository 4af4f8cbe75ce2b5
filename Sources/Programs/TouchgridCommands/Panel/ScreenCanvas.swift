import Glibc
import Text
import TouchModel

/// Shows scenes in a terminal that fills the display: the console of the machine, or a terminal in
/// full screen.
final class ScreenCanvas: PanelCanvas {
  let fillsTerminal = true
  /// The kernel draws its console without the rotation of the desktop.
  let isRotated: Bool
  private let columns: Int
  private let rows: Int
  /// The part of the display that the cells cover. The console leaves a strip free if the size of
  /// the display is not a multiple of the cell's.
  private let covered: PanelScene.Place
  private var isShown = false

  convenience init(_ geometry: DisplayGeometry) throws(Failure) {
    guard Terminal.isThere else {
      throw Failure("the crosses need a terminal that fills the display")
    }
    let isConsole = Terminal.variable("TERM") == "linux"
    let rotation = Files.text("/sys/class/graphics/fbcon/rotate")?.trimmed ?? "0"
    guard !isConsole || rotation == "0" else {
      throw Failure(
        "the kernel rotates this console (fbcon): use the desktop, or a terminal in full screen")
    }
    self.init(
      geometry, isConsole: isConsole, columns: Terminal.width, rows: Terminal.height)
  }

  init(_ geometry: DisplayGeometry, isConsole: Bool, columns: Int, rows: Int) {
    isRotated = !isConsole
    self.columns = columns
    self.rows = rows
    func part(_ cells: Int, _ pixels: Int) -> Double {
      let cell = pixels / max(1, cells)
      return isConsole && cell > 0 ? Double(cell * cells) / Double(pixels) : 1
    }
    covered = PanelScene.Place(
      x: part(columns, geometry.pixelWidth), y: part(rows, geometry.pixelHeight))
  }

  deinit { clear() }

  private func cell(_ place: PanelScene.Place) -> (column: Int, row: Int) {
    func index(_ share: Double, _ cells: Int) -> Int {
      min(cells - 1, max(0, Int(share * Double(cells))))
    }
    return (index(place.x / covered.x, columns), index(place.y / covered.y, rows))
  }

  func nearest(_ place: PanelScene.Place) -> PanelScene.Place {
    let (column, row) = cell(place)
    return PanelScene.Place(
      x: (Double(column) + 0.5) / Double(columns) * covered.x,
      y: (Double(row) + 0.5) / Double(rows) * covered.y)
  }

  func show(_ scene: PanelScene) throws {
    // Switch to the alternate screen, hide the cursor, and clear.
    var text = (isShown ? "" : "\u{1b}[?1049h\u{1b}[?25l") + "\u{1b}[2J"
    isShown = true
    func put(_ column: Int, _ row: Int, _ text: String) -> String {
      guard (0..<rows).contains(row), (0..<columns).contains(column) else { return "" }
      return "\u{1b}[\(row + 1);\(column + 1)H\(text)"
    }
    for (index, line) in wrapped(scene.title.printable(limit: 500), to: columns).enumerated() {
      text += put(max(0, (columns - line.count) / 2), rows / 4 + index, line)
    }
    for cross in scene.crosses {
      let (column, row) = cell(cross)
      for step in 1...2 {
        text += put(column - step, row, "-") + put(column + step, row, "-")
        text += put(column, row - step, "|") + put(column, row + step, "|")
      }
      text += put(column, row, "+")
    }
    try write(Array(text.utf8), to: STDOUT_FILENO, name: "the terminal")
  }

  func clear() {
    guard isShown else { return }
    isShown = false
    let text = "\u{1b}[?25h\u{1b}[?1049l"
    try? write(Array(text.utf8), to: STDOUT_FILENO, name: "the terminal")
  }
}
