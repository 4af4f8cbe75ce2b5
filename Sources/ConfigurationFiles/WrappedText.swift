extension String {
  /// The text in lines of at most `width` characters, broken at spaces; a word that is longer is cut.
  /// - Parameter indent: before every line but the first.
  public func wrapped(width: Int, indent: String) -> String {
    var lines: [String] = []
    var line = ""
    var room = width
    for word in split(separator: " ") {
      var rest = word[...]
      if !line.isEmpty, line.count + 1 + rest.count <= room {
        line += " " + rest
        continue
      }
      if !line.isEmpty {
        lines.append(line)
        room = width - indent.count
      }
      while rest.count > room {
        lines.append(String(rest.prefix(room)))
        rest = rest.dropFirst(room)
        room = width - indent.count
      }
      line = String(rest)
    }
    return (lines + [line]).joined(separator: "\n" + indent)
  }
}
