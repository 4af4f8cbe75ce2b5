import TouchModel

/// Digits that consist of lines, so that no font is needed.
enum Digits {
  /// The width of a digit and the gap between two digits, both relative to their height without the
  /// width of the lines.
  static let width = 0.56
  private static let gap = 0.26
  /// The width of the lines, relative to the whole height of a digit.
  static let stroke = 0.16

  /// The lines of each digit, in a box of width 1 and height 1, with y pointing down.
  private static let lines: [Character: [[(Double, Double)]]] = [
    "0": [
      [
        (0.5, 0), (0.9, 0.15), (1, 0.5), (0.9, 0.85), (0.5, 1), (0.1, 0.85), (0, 0.5), (0.1, 0.15),
        (0.5, 0),
      ]
    ],
    "1": [[(0.15, 0.22), (0.6, 0), (0.6, 1)]],
    "2": [
      [(0.03, 0.22), (0.2, 0.05), (0.5, 0), (0.8, 0.05), (0.97, 0.25), (0.85, 0.5), (0, 1), (1, 1)]
    ],
    "3": [
      [
        (0.05, 0.1), (0.45, 0), (0.85, 0.07), (0.95, 0.25), (0.82, 0.42), (0.4, 0.48), (0.85, 0.55),
        (1, 0.75), (0.85, 0.94), (0.45, 1), (0.03, 0.9),
      ]
    ],
    "4": [[(0.75, 1), (0.75, 0), (0, 0.7), (1, 0.7)]],
    "5": [
      [
        (0.92, 0), (0.15, 0), (0.08, 0.45), (0.5, 0.37), (0.85, 0.45), (1, 0.68), (0.85, 0.92),
        (0.45, 1), (0.03, 0.9),
      ]
    ],
    "6": [
      [
        (0.85, 0.03), (0.45, 0.1), (0.12, 0.4), (0, 0.7), (0.15, 0.93), (0.5, 1), (0.85, 0.93),
        (1, 0.7), (0.85, 0.48), (0.5, 0.42), (0.15, 0.5), (0.02, 0.68),
      ]
    ],
    "7": [[(0, 0), (1, 0), (0.4, 1)]],
    "8": [
      [
        (0.5, 0), (0.85, 0.07), (0.95, 0.24), (0.8, 0.41), (0.5, 0.47), (0.15, 0.55), (0, 0.75),
        (0.15, 0.94), (0.5, 1), (0.85, 0.94), (1, 0.75), (0.85, 0.55), (0.5, 0.47), (0.2, 0.41),
        (0.05, 0.24), (0.15, 0.07), (0.5, 0),
      ]
    ],
    "9": [
      [
        (0.15, 0.97), (0.55, 0.9), (0.88, 0.6), (1, 0.3), (0.85, 0.07), (0.5, 0), (0.15, 0.07),
        (0, 0.3), (0.15, 0.52), (0.5, 0.58), (0.85, 0.5), (0.98, 0.32),
      ]
    ],
  ]

  /// Returns the lines of the digits, centred on the origin.
  /// - Parameter height: The height of the digits, including the width of their lines.
  static func strokes(of text: String, height: Double) -> [[Point]] {
    let inner = height * (1 - stroke)
    let advance = inner * (width + gap)
    let start = -(advance * Double(text.count) - inner * gap) / 2
    return text.enumerated().flatMap { index, digit in
      (lines[digit] ?? []).map { line in
        line.map { x, y in
          Point(x: start + advance * Double(index) + x * inner * width, y: (y - 0.5) * inner)
        }
      }
    }
  }
}
