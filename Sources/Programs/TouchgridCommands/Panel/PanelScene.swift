import Heatmaps
import Reports

/// A scene for the person who tests or calibrates a panel. Positions are shares of the picture's
/// width and height.
struct PanelScene: Equatable {
  struct Place: Equatable {
    var x: Double
    var y: Double
  }

  struct Line: Equatable {
    var from: Place
    var to: Place
  }

  var title: String
  var lines: [Line] = []
  var crosses: [Place] = []

  init(title: String, crosses: [Place] = []) {
    self.title = title
    self.crosses = crosses
  }

  init(_ step: PanelTestStep, title: String) {
    self.title = title
    for (from, to) in step.lines {
      let places = (Place(x: from.x, y: from.y), Place(x: to.x, y: to.y))
      if places.0 == places.1 {
        crosses.append(places.0)
      } else {
        lines.append(Line(from: places.0, to: places.1))
      }
    }
  }
}

/// Shows scenes.
protocol PanelCanvas: AnyObject {
  /// Whether scenes fill the terminal, so that nothing else may be written there meanwhile.
  var fillsTerminal: Bool { get }
  /// Whether the display's rotation applies to the canvas.
  var isRotated: Bool { get }
  /// Returns the nearest position at which the canvas can show a cross.
  func nearest(_ place: PanelScene.Place) -> PanelScene.Place
  func show(_ scene: PanelScene) throws
  /// Removes the last scene.
  func clear()
}

extension PanelCanvas {
  var fillsTerminal: Bool { false }
  var isRotated: Bool { true }

  func nearest(_ place: PanelScene.Place) -> PanelScene.Place { place }
}

/// Shows small sketches of the picture among the questions, for a terminal beside the panel.
final class SketchCanvas: PanelCanvas {
  static let (columns, rows) = (32, 8)

  private let dialogue: Dialogue

  init(_ dialogue: Dialogue) { self.dialogue = dialogue }

  func show(_ scene: PanelScene) throws {
    try dialogue.write("\n" + Self.sketch(scene).map { $0 + "\n" }.joined())
  }

  func clear() {}

  static func sketch(_ scene: PanelScene) -> [String] {
    var cells = Array(repeating: Array(repeating: Character(" "), count: columns), count: rows)
    func set(_ place: PanelScene.Place, _ mark: Character) {
      let column = min(columns - 1, max(0, Int(place.x * Double(columns))))
      cells[min(rows - 1, max(0, Int(place.y * Double(rows))))][column] = mark
    }
    for line in scene.lines {
      for step in 0...(2 * columns) {
        let part = Double(step) / Double(2 * columns)
        set(
          PanelScene.Place(
            x: line.from.x + part * (line.to.x - line.from.x),
            y: line.from.y + part * (line.to.y - line.from.y)), "*")
      }
    }
    for cross in scene.crosses { set(cross, "+") }
    let border = "+" + String(repeating: "-", count: columns) + "+"
    return [border] + cells.map { "|" + String($0) + "|" } + [border]
  }
}
