internal import Text
internal import TouchModel

/// Masked rectangles in the form that `mask.list` stores; `docs/store-format.md` shows examples.
extension Rectangle {
  private var json: JSONValue {
    let members = [("x", x), ("y", y), ("width", width), ("height", height)]
    return .object(members.map { JSONValue.Member(name: $0.0, value: .number($0.1.description)) })
  }

  private init?(_ json: JSONValue) {
    func number(_ name: String) -> Double? { (json[name]?.digits).flatMap { Double($0) } }
    guard let x = number("x"), let y = number("y"), let width = number("width"),
      let height = number("height")
    else { return nil }
    self.init(x: x, y: y, width: width, height: height)
  }

  static func text(_ rectangles: [Rectangle]) -> String {
    JSONValue.array(rectangles.map(\.json)).exactText
  }

  /// - Returns: nil if the text is not a list of rectangles.
  static func list(_ text: String) -> [Rectangle]? {
    guard let elements = (try? JSONValue(parsing: text))?.elements else { return nil }
    let rectangles = elements.compactMap { Rectangle($0) }
    return rectangles.count == elements.count ? rectangles : nil
  }
}
