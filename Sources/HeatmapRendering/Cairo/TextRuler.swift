/// Measures texts in the system's sans-serif, for layouts in which nothing is cut off.
public struct TextRuler: ~Copyable {
  private let canvas: Canvas

  public init() throws(PictureError) {
    canvas = try Canvas(Surface(width: 1, height: 1))
  }

  public func width(_ text: String, _ font: Font) -> Double { canvas.advance(text, font) }

  /// The beginning of a text that fits; where something is cut off, `…` stands last.
  public func fitted(_ text: String, _ font: Font, width: Double) -> String {
    guard self.width(text, font) > width else { return text }
    // The longest beginning that fits, by halving: names are short, widths rise.
    let characters = Array(text)
    var (fits, tooLong) = (0, characters.count)
    while tooLong - fits > 1 {
      let middle = (fits + tooLong) / 2
      if self.width(String(characters[..<middle]) + "…", font) <= width {
        fits = middle
      } else {
        tooLong = middle
      }
    }
    return String(characters[..<fits]) + "…"
  }

  /// Lines that fit, broken at spaces; a longer word is cut off.
  public func wrapped(_ text: String, _ font: Font, width: Double) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, self.width(last + " " + word, font) <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(fitted(String(word), font, width: width))
      }
    }
    return lines
  }
}
