internal import Text
internal import TouchModel

/// A message for users made from a syntax error of toml++.
///
/// toml++ (3.3 and 3.4) describes errors as "Error while parsing CONTEXT: REASON". Any other text
/// is shown unchanged, as the reason.
struct SyntaxMessage<Section: ConfigurationSection> {
  private let context: String
  private let reason: String

  init(_ description: String) {
    let prefix = "Error while parsing "
    let rest = description.hasPrefix(prefix) ? description.dropFirst(prefix.count) : ""
    let colon = rest.firstIndex(of: ":")
    context = colon.map { String(rest[..<$0]) } ?? ""
    reason = colon.map { String(rest[$0...].dropFirst(2)) } ?? description
  }

  var text: String {
    repetition ?? missingEnd ?? "not valid TOML: \(reason.printable(limit: .max))"
  }

  /// The message if the reason is "cannot redefine existing TYPE 'NAME' as TYPE"; otherwise nil.
  private var repetition: String? {
    guard reason.hasPrefix("cannot redefine existing ") else { return nil }
    let parts = reason.split(separator: "'", omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return nil }
    let name = parts[1..<parts.count - 1].joined(separator: "'")
    if let section = Section(rawValue: name), section.isRepeated {
      return "every \(section.rawValue) must be written \(section.title), with double brackets"
    }
    return "\(name.quoted) is set twice; remove one"
  }

  private var missingEnd: String? {
    let isCut = reason == "encountered end-of-file"
    let isControl = reason.split(separator: " ").contains("control")
    switch context {
    case "string" where isCut, "literal string" where isCut,
      "string" where isControl, "literal string" where isControl:
      return "a string has no closing quote, or contains a control character"
    case "array" where isCut: return "a \"]\" is missing"
    case "inline table" where isCut: return "a \"}\" is missing"
    case "table header" where isCut: return "a \"]\" is missing after the table's name"
    case "key-value pair" where isCut || reason.hasPrefix("expected '='"):
      return "not valid TOML: a line must be of the form key = value"
    default: return nil
    }
  }
}
