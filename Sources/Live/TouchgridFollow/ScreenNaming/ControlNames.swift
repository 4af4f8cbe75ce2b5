internal import Text
internal import TouchModel

/// Names observed controls: their role, and their identifier or label, with digits replaced. A label
/// may hold a price or a number of an order, and names must not multiply.
enum ControlNames {
  /// The maximum length of a label, in characters.
  private static let labelLimit = 40

  /// Returns the controls with names that are unique: the second of a name gets a 2, and so on.
  /// - Returns: at most `ScreenControls.limit` controls, the first ones.
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
      var count = counts[ExactName(base), default: 0]
      var name = base
      repeat {
        count += 1
        name = count == 1 ? base : ScreenNames.clean("\(base) \(count)")
      } while !used.insert(ExactName(name)).inserted
      counts[ExactName(base)] = count
      controls.append(Control(name: name, rectangle: scaled))
    }
    return controls
  }

  /// Returns the name of a control, without regard to others.
  static func name(_ item: ObservedControls.Item) -> String {
    var label = ""
    var isDigit = false
    for scalar in item.label.unicodeScalars.prefix(4 * labelLimit) {
      let isNext = scalar.properties.numericType != nil
      if isNext, isDigit { continue }
      isDigit = isNext
      label.unicodeScalars.append(isNext ? "#" : scalar.properties.isWhitespace ? " " : scalar)
    }
    let words = label.split(separator: " ").joined(separator: " ").prefix(labelLimit)
    return ScreenNames.clean(words.isEmpty ? item.role : "\(item.role) \(words)")
  }

  /// To a quarter of a point, so that a layout that differs by less is the same set.
  private static func rounded(_ value: Double) -> Double { (4 * value).rounded() / 4 }
}
