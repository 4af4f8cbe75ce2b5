internal import Text
internal import TouchModel

/// An element of the lists that a table stores, each list once.
protocol StoredElement {
  static var table: String { get }
  var json: JSONValue { get }
  /// - Returns: nil if a member is missing or out of range.
  init?(_ json: JSONValue)
}

extension StoredElement {
  static func text(_ elements: [Self]) -> String {
    JSONValue.array(elements.map(\.json)).exactText
  }

  /// - Returns: nil if the text is not a list of such elements.
  static func list(_ text: String) -> [Self]? {
    guard let values = (try? JSONValue(parsing: text))?.elements else { return nil }
    let elements = values.compactMap { Self($0) }
    return elements.count == values.count ? elements : nil
  }
}

/// Masked rectangles in the form that `mask.list` stores; `docs/store-format.md` shows examples.
extension Rectangle: StoredElement {
  static var table: String { "mask" }

  var json: JSONValue {
    let members = [("x", x), ("y", y), ("width", width), ("height", height)]
    return .object(members.map { JSONValue.Member(name: $0.0, value: .number($0.1.description)) })
  }

  init?(_ json: JSONValue) {
    func number(_ name: String) -> Double? { (json[name]?.digits).flatMap { Double($0) } }
    guard let x = number("x"), let y = number("y"), let width = number("width"),
      let height = number("height")
    else { return nil }
    self.init(x: x, y: y, width: width, height: height)
  }
}
