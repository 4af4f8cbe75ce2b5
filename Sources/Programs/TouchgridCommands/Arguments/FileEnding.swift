/// A file's path, split at the dot before its ending.
struct FileEnding {
  /// The text before the dot, including folders.
  var stem: String
  /// The text after the last dot of the file's name.
  var text: String

  /// - Returns: nil if the name has no dot.
  init?(_ path: String) {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let dot = path[start...].lastIndex(of: ".") else { return nil }
    stem = String(path[..<dot])
    text = String(path[path.index(after: dot)...])
  }

  /// Returns endings as text, such as `.png, .svg or .pdf`.
  static func list(_ endings: [String]) -> String {
    guard let last = endings.last, endings.count > 1 else { return endings.first ?? "" }
    return endings.dropLast().joined(separator: ", ") + " or " + last
  }
}
