/// Measures text in the system's sans-serif font, so that a layout can leave enough room for it.
public struct TextMeasurer: ~Copyable {
  private let canvas: Canvas

  public init() throws(PictureError) {
    canvas = try Canvas(Surface(width: 1, height: 1))
  }

  public func width(_ text: String, _ font: Font) -> Double { canvas.advance(text, font) }

  /// Returns `text` if it fits into `width`. Otherwise, returns the longest start of it that fits
  /// together with a final `…`.
  public func fitted(_ text: String, _ font: Font, width: Double) -> String {
    guard self.width(text, font) > width else { return text }
    // Search for the longest start that fits by bisection: a longer start is never narrower.
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

  /// Breaks text at spaces into lines that fit into `width`. A wider word is shortened, as by
  /// `fitted`.
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
