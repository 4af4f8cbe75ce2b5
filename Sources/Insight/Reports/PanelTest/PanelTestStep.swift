/// An action of the person in front of the panel. Directions are relative to the picture.
package enum PanelTestStep: Hashable, Sendable {
  package enum Edge: String, Hashable, Sendable, CaseIterable { case top, right, bottom, left }

  /// A line from left to right. The value is its vertical position, as a share of the height.
  case across(Double)
  /// A line from top to bottom. The value is its horizontal position, as a share of the width.
  case down(Double)
  /// A line from the top left to the bottom right, or from the bottom left to the top right.
  case diagonal(rises: Bool)
  case edge(Edge)
  /// A resting finger, at a position given as shares of the width and the height.
  case hold(Double, Double)
  case twoFingers

  package static let all: [PanelTestStep] =
    [0.25, 0.5, 0.75].map { .across($0) } + [0.25, 0.5, 0.75].map { .down($0) }
    + [.diagonal(rises: false), .diagonal(rises: true)] + Edge.allCases.map { .edge($0) }
    + [(0.5, 0.5), (0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)].map { .hold($0.0, $0.1) }
    + [.twoFingers]

  package enum Kind: Hashable, Sendable { case line, edge, hold, twoFingers }

  package var kind: Kind {
    switch self {
    case .across, .down, .diagonal: .line
    case .edge: .edge
    case .hold: .hold
    case .twoFingers: .twoFingers
    }
  }

  /// The name in JSON files.
  package var name: String {
    switch self {
    case .across(let part): "across-\(Self.percent(part))"
    case .down(let part): "down-\(Self.percent(part))"
    case .diagonal(let rises): rises ? "diagonal-up" : "diagonal-down"
    case .edge(let edge): "edge-\(edge.rawValue)"
    case .hold(let x, let y): "hold-\(Self.percent(x))-\(Self.percent(y))"
    case .twoFingers: "two-fingers"
    }
  }

  private static func percent(_ part: Double) -> Int { Int((part * 100).rounded()) }

  /// The instruction for the person.
  package var request: String {
    switch self {
    case .across(let part):
      "Draw a line from the left edge to the right edge, \(Self.words(part, "down"))."
    case .down(let part):
      "Draw a line from the top edge to the bottom edge, \(Self.words(part, "from the left"))."
    case .diagonal(let rises):
      rises
        ? "Draw a line from the bottom left corner to the top right corner."
        : "Draw a line from the top left corner to the bottom right corner."
    case .edge(let edge): "Draw along the \(edge.rawValue) edge, as close to it as you can."
    case .hold(let x, let y):
      "Hold one finger still for three seconds \(Self.words(x, y)), then lift it."
    case .twoFingers:
      """
      Put two fingers down a hand's width apart, slide them together until they touch, and lift them.
      """
    }
  }

  private static func words(_ part: Double, _ direction: String) -> String {
    switch part {
    case 0.25: "a quarter of the way \(direction)"
    case 0.75: "three quarters of the way \(direction)"
    default: "in the middle"
    }
  }

  private static func words(_ x: Double, _ y: Double) -> String {
    guard x != 0.5 || y != 0.5 else { return "in the middle of the picture" }
    return "near the \(y < 0.5 ? "top" : "bottom") \(x < 0.5 ? "left" : "right") corner"
  }

  /// The lines to show on the picture, as shares of its width and height; a dot for a place to hold.
  package var lines: [(from: (x: Double, y: Double), to: (x: Double, y: Double))] {
    switch self {
    case .across(let part): [((0, part), (1, part))]
    case .down(let part): [((part, 0), (part, 1))]
    case .diagonal(let rises): rises ? [((0, 1), (1, 0))] : [((0, 0), (1, 1))]
    case .edge(.top): [((0, 0), (1, 0))]
    case .edge(.right): [((1, 0), (1, 1))]
    case .edge(.bottom): [((0, 1), (1, 1))]
    case .edge(.left): [((0, 0), (0, 1))]
    case .hold(let x, let y): [((x, y), (x, y))]
    case .twoFingers: [((0.3, 0.5), (0.5, 0.5)), ((0.7, 0.5), (0.5, 0.5))]
    }
  }
}
