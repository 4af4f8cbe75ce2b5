internal import Text
internal import TouchModel

/// Names observed controls by their role and their identifier or label. Digits are replaced,
/// because a label may contain a price or an order number, which would multiply the names.
enum ControlNames {
  /// Returns the controls with unique names: the second control with a name gets a 2, and so on.
  /// - Returns: the first `ScreenControls.limit` controls.
  static func controls(
    _ items: [ObservedControls.Item], scaledBy scale: Double
  ) -> [Control] {
    var used: Set<ExactName> = []
    var counts: [ExactName: Int] = [:]
    var controls: [Control] = []
    for item in items {
      let rectangle = item.rectangle
      guard controls.count < ScreenControls.limit,
        let scaled = Rectangle(
          x: Self.rounded(rectangle.x * scale), y: Self.rounded(rectangle.y * scale),
          width: Self.rounded(rectangle.width * scale),
          height: Self.rounded(rectangle.height * scale))
      else { continue }
      let base = name(item)
      // Skip numbers that are already in use.
      var count = counts[ExactName(base), default: 0] + 1
      func numbered() -> String { count == 1 ? base : "\(base) \(count)" }
      while !used.insert(ExactName(numbered())).inserted, count <= ScreenControls.limit {
        count += 1
      }
      counts[ExactName(base)] = count
      let name = numbered()
      controls.append(Control(name: name, rectangle: scaled))
    }
    return controls
  }

  /// Returns the name of a control, which need not be unique: at most 104 bytes, so that there is
  /// room for a number.
  static func name(_ item: ObservedControls.Item) -> String {
    let (role, label) = (folded(item.role, to: 24), folded(item.label, to: 80))
    return ScreenNames.clean(label.isEmpty ? role : "\(role) \(label)")
  }

  /// Replaces digits, and joins successive spaces.
  /// - Parameter limit: the maximum length in bytes.
  private static func folded(_ text: String, to limit: Int) -> String {
    var result = String.UnicodeScalarView()
    var bytes = 0
    for scalar in text.unicodeScalars.prefix(4 * limit) {
      let next: Unicode.Scalar =
        scalar.properties.numericType != nil ? "#" : scalar.properties.isWhitespace ? " " : scalar
      if next == result.last, next == "#" || next == " " { continue }
      bytes += UTF8.width(next)
      if bytes > limit { break }
      result.append(next)
    }
    return String(result).split(separator: " ").joined(separator: " ")
  }

  /// Rounds to a quarter of a point, so that layouts with smaller differences are the same set.
  private static func rounded(_ value: Double) -> Double { (4 * value).rounded() / 4 }
}
