/// Measures texts in the system's sans-serif font, so that a layout cuts nothing off.
public struct TextMeasurer: ~Copyable {
  private let canvas: Canvas

  public init() throws(PictureError) {
    canvas = try Canvas(Surface(width: 1, height: 1))
  }

  public func width(_ text: String, _ font: Font) -> Double { canvas.advance(text, font) }

  /// Returns the start of `text` that fits into `width`. If the text is cut, it ends in `…`.
  public func fitted(_ text: String, _ font: Font, width: Double) -> String {
    guard self.width(text, font) > width else { return text }
    // Bisect for the longest start that fits. Longer starts are wider.
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

  /// Breaks text at spaces into lines that fit into `width`. A longer word is cut off.
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
