import Heatmaps
import Text

/// A title, and below it one named fact per line.
struct FactSheet {
  var title: String
  var facts: [(name: String, value: String)]

  private var indent: Int { 4 + max(8, facts.map { textWidth($0.name) }.max() ?? 0) }

  func lines(width: Int) -> [String] {
    let indent = indent
    return wrapped(title, to: width)
      + facts.flatMap { name, value in
        wrapped(value, to: max(20, width - indent)).enumerated().map { index, line in
          let label = index == 0 ? "  " + name : ""
          return label + String(repeating: " ", count: max(1, indent - label.count)) + line
        }
      }
  }

  /// Returns the sheets one below the other, with an empty line between them.
  static func lines(_ sheets: [FactSheet], width: Int) -> [String] {
    Array(sheets.map { $0.lines(width: width) }.joined(separator: [""]))
  }
}
