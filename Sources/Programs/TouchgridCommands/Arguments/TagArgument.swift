import ArgumentParser
import Text
import TouchModel

/// A tag, `KEY=VALUE`.
struct TagArgument: Equatable, FormedArgument {
  static let forms = "KEY=VALUE, such as build=1.4"

  var key: String
  var value: String

  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
    // The store keeps tags in Unicode's normal form C.
    key = String(argument[..<sign]).normalised
    value = String(argument[argument.index(after: sign)...]).normalised
  }
}

extension [TagArgument] {
  func dictionary() throws -> [String: String] {
    var tags: [String: String] = [:]
    for tag in self where tags.updateValue(tag.value, forKey: tag.key) != nil {
      throw ValidationError("The tag '\(tag.key.printable())' is given twice.")
    }
    return tags
  }
}
