internal import Synchronization
internal import Text
internal import TouchModel

/// The texts of the sets that were written last. A set is the same in every session, and its text
/// takes longer to make than all else that is written of it.
private let recentTexts = Mutex<[(set: ControlSet, text: String)]>([])
private let recentLimit = 16

/// Sets of controls in the form that `control_set.list` stores; `docs/store-format.md` shows an
/// example.
extension ControlSet {
  /// The set as text. Equal sets have equal texts.
  var text: String {
    // Equal arrays mostly share their storage, so the comparison is short.
    let known = recentTexts.withLock { $0.first { $0.set == self }?.text }
    if let known { return known }
    let text = newText
    recentTexts.withLock { recent in
      if recent.count == recentLimit { recent.removeFirst() }
      recent.append((self, text))
    }
    return text
  }

  private var newText: String {
    let members = [
      ("point_mm", JSONValue.number(pointSize.description)),
      ("controls", .array(controls.map(\.json))),
    ]
    return JSONValue.object(members.map { JSONValue.Member(name: $0.0, value: $0.1) }).exactText
  }

  /// - Returns: nil if the text is not a valid set of controls.
  init?(_ text: String) {
    guard let json = try? JSONValue(parsing: text),
      let pointSize = (json["point_mm"]?.digits).flatMap({ Double($0) }),
      let elements = json["controls"]?.elements
    else { return nil }
    let controls = elements.compactMap { Control($0) }
    guard controls.count == elements.count else { return nil }
    self.init(controls, pointSize: pointSize)
  }
}

extension Control {
  fileprivate var json: JSONValue {
    let members: [(String, JSONValue)] =
      [("name", .string(name))]
      + [
        ("x", rectangle.x), ("y", rectangle.y), ("width", rectangle.width),
        ("height", rectangle.height),
      ].map { ($0.0, .number($0.1.description)) } + [("rage", .bool(countsRage))]
    return .object(members.map { JSONValue.Member(name: $0.0, value: $0.1) })
  }

  fileprivate init?(_ json: JSONValue) {
    func number(_ name: String) -> Double? { (json[name]?.digits).flatMap { Double($0) } }
    guard let name = json["name"]?.string, let x = number("x"), let y = number("y"),
      let width = number("width"), let height = number("height"),
      let rectangle = Rectangle(x: x, y: y, width: width, height: height),
      case .bool(let countsRage)? = json["rage"]
    else { return nil }
    self.init(name: name, rectangle: rectangle, countsRage: countsRage)
  }
}
