internal import Text

/// The tables that a configuration file may have. The raw values are their names.
public protocol ConfigurationSection: RawRepresentable<String>, CaseIterable, Equatable, Sendable {
  /// Whether the table may occur several times, as `[[…]]`.
  var isRepeated: Bool { get }
  /// The table that error messages show as an example.
  static var example: Self { get }
  var keys: [String] { get }
}

extension ConfigurationSection {
  public var title: String { isRepeated ? "[[\(rawValue)]]" : "[\(rawValue)]" }

  /// Returns the error message for a key that this section does not have.
  func unknownKey(_ key: String) -> String {
    Self.unknownKey(
      key, place: "in \(title)", candidates: keys, others: Self.allCases.filter { $0 != self })
  }

  /// Returns the error message for an unknown key outside all sections.
  static func unknownTopKey(_ key: String, isTable: Bool) -> String {
    if isTable {
      let name = nearest(key, in: allCases.map(\.rawValue)).flatMap { Self(rawValue: $0) }
      let titles = allCases.map(\.title).joined(separator: ", ")
      return "unknown table \(key.quoted); "
        + (name.map { "did you mean \($0.title)?" } ?? "the tables are \(titles)")
    }
    return unknownKey(key, place: "outside any table", candidates: [], others: Array(allCases))
  }

  private static func unknownKey(
    _ key: String, place: String, candidates: [String], others: [Self]
  ) -> String {
    let unknown = "unknown key \(key.quoted) \(place)"
    if let name = nearest(key, in: candidates) { return "\(unknown); did you mean \"\(name)\"?" }
    if let home = others.first(where: { $0.keys.contains(key) }) {
      return "\(unknown); it belongs in \(home.title)"
    }
    if candidates.isEmpty {
      return "\(unknown); every key belongs in a table such as \(example.title)"
    }
    return "\(unknown); the keys there are \(candidates.joined(separator: ", "))"
  }
}
