/// The part of JSON that tags, placements and masks need. Numbers stay text, so that they are not
/// rounded.
enum JSON {
  struct Member {
    var name: String
    var value: JSON
  }

  case object([Member])
  case array([JSON])
  case string(String)
  case number(String)

  var text: String {
    switch self {
    case .object(let members):
      "{" + members.map { Self.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .string(let string): Self.quoted(string)
    case .number(let digits): digits
    }
  }

  private static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{0}"..."\u{1f}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  var string: String? { if case .string(let string) = self { string } else { nil } }
  var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
  var digits: String? { if case .number(let digits) = self { digits } else { nil } }
}
