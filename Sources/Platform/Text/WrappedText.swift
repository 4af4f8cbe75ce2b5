extension String {
  /// Breaks the text at spaces into lines of at most `width` characters. A longer word is split.
  /// - Parameter indent: the text before every line except the first.
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
