/// Returns the number of terminal columns of `text`: 2 for the wide characters of East Asia and for
/// emoji, 0 for combining marks (Unicode TR 11).
public func textWidth(_ text: String) -> Int {
  text.unicodeScalars.reduce(0) { $0 + scalarWidth($1) }
}

/// Returns the text, or the part of its beginning that fits into `width` terminal columns, followed
/// by `…`. If `width` is 0, an empty text replaces a longer one.
public func truncated(_ text: String, to width: Int) -> String {
  guard textWidth(text) > width else { return text }
  var result = String.UnicodeScalarView()
  var used = 0
  for scalar in text.unicodeScalars {
    used += scalarWidth(scalar)
    if used > width - 1 { break }
    result.append(scalar)
  }
  return width > 0 ? String(result) + "…" : ""
}

/// Breaks text at spaces into lines of at most `width` terminal columns. A longer word is cut
/// off.
public func wrapped(_ text: String, to width: Int) -> [String] {
  var lines: [String] = []
  for word in text.split(separator: " ") {
    if let last = lines.last, textWidth(last) + 1 + textWidth(String(word)) <= width {
      lines[lines.count - 1] = last + " " + word
    } else {
      lines.append(truncated(String(word), to: width))
    }
  }
  return lines
}

private func scalarWidth(_ scalar: Unicode.Scalar) -> Int {
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format, .control: return 0
  default: break
  }
  switch scalar.value {
  case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3,
    0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f,
    0x1f680...0x1f6ff, 0x1f900...0x1f9ff, 0x20000...0x3fffd:
    return 2
  default: return 1
  }
}
