internal import Text

/// Tags in the form that `session.tags` stores.
enum Tags {
  static func text(_ tags: [String: String]) -> String {
    let sorted = tags.sorted { $0.key < $1.key }
    return JSONValue.object(sorted.map { JSONValue.Member(name: $0.key, value: .string($0.value)) })
      .exactText
  }

  /// - Returns: nil if the text is not an object of strings.
  static func read(_ text: String) -> [String: String]? {
    guard case .object(let members) = try? JSONValue(parsing: text) else { return nil }
    let pairs = members.compactMap { member in member.value.string.map { (member.name, $0) } }
    return pairs.count == members.count ? Dictionary(pairs) { _, last in last } : nil
  }

  /// Returns an SQL condition on `session`: the session has all tags of a value from `text`.
  /// - Parameter wanted: the parameter of the statement that holds the value, such as `?3`.
  static func condition(_ wanted: String) -> String {
    """
    NOT EXISTS (SELECT 1 FROM json_each(\(wanted)) AS wanted WHERE NOT EXISTS (
      SELECT 1 FROM json_each(session.tags) AS had
      WHERE had.key = wanted.key AND had.type = 'text' AND had.value = wanted.value))
    """
  }
}
