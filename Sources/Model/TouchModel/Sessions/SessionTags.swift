internal import Text

/// The reason why tags are refused.
public enum TagError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The session would have more than `limit` tags.
  case tooMany(limit: Int)
  /// A key is empty, too long or not printable.
  case badKey(String, limit: Int)
  /// The value of a key is too long or not printable.
  case badValue(key: String, limit: Int)

  public var description: String {
    switch self {
    case .tooMany(let limit): "a session has at most \(limit) tags; set fewer"
    case .badKey(let key, let limit):
      "a tag's key must be 1 to \(limit) bytes of printable text, not \"\(key.printable())\""
    case .badValue(let key, let limit):
      "the value of tag \"\(key.printable())\" must be at most \(limit) bytes of printable text"
    }
  }
}

public enum SessionTags {
  static let limit = 32
  static let keyLimit = 64
  static let valueLimit = 128

  /// Returns the tags in the form in which they are stored. Throws if a session may not have them.
  public static func checked(_ tags: [String: String]) throws(TagError) -> [String: String] {
    try merge(tags)
  }

  /// - Returns: the previous tags with the new ones set, in Unicode's normal form C like names.
  static func merge(
    _ tags: [String: String], into former: [String: String] = [:]
  ) throws(TagError) -> [String: String] {
    var added: [String: String] = [:]
    for (key, value) in tags.sorted(by: { $0.key < $1.key }) {
      let (key, value) = (key.normalised, value.normalised)
      guard (1...keyLimit).contains(key.utf8.count), isPrintable(key) else {
        throw .badKey(key, limit: keyLimit)
      }
      guard value.utf8.count <= valueLimit, isPrintable(value) else {
        throw .badValue(key: key, limit: valueLimit)
      }
      added[key] = value
    }
    let merged = former.merging(added) { _, new in new }
    guard merged.count <= limit else { throw .tooMany(limit: limit) }
    return merged
  }

  private static func isPrintable(_ text: String) -> Bool {
    text.utf8.count == text.printable(limit: .max).utf8.count
  }
}
