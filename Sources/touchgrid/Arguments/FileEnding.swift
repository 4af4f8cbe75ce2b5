/// A file's name, cut before its ending.
struct FileEnding {
  /// All before the dot, folders included.
  var stem: String
  /// What follows the last dot of the name.
  var text: String

  /// - Returns: nil where the name has no dot.
  init?(_ path: String) {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let dot = path[start...].lastIndex(of: ".") else { return nil }
    stem = String(path[..<dot])
    text = String(path[path.index(after: dot)...])
  }

  /// `.png, .svg or .pdf`.
  static func list(_ endings: [String]) -> String {
    let dotted = endings.map { "." + $0 }
    guard let last = dotted.last, dotted.count > 1 else { return dotted.first ?? "" }
    return dotted.dropLast().joined(separator: ", ") + " or " + last
  }
}
