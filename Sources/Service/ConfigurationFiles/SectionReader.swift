internal import Text
internal import TouchModel

/// Reads the values of one table and collects the errors. A key that is missing or wrong gives nil,
/// so that the caller can keep its default and continue with the next key.
public struct SectionReader<Section: ConfigurationSection> {
  private let section: Section
  private let table: [String: TOMLValue]
  private let location: KeyLocation
  private let file: String
  public private(set) var problems: [ConfigurationError.Problem] = []

  init(_ section: Section, table: [String: TOMLValue], location: KeyLocation, file: String) {
    self.section = section
    self.table = table
    self.location = location
    self.file = file
    for key in table.keys.sorted() where !section.keys.contains(key) {
      report(key, section.unknownKey(key))
    }
  }

  /// The line of a key; the line of the table if the key is absent.
  public func line(of key: String) -> Int { location.line(of: key) }

  public func contains(_ key: String) -> Bool { table[key] != nil }

  public mutating func report(_ key: String, _ message: String) {
    report(line: line(of: key), message)
  }

  // MARK: Plain values

  public mutating func boolean(_ key: String) -> Bool? {
    read(key, "true or false") { $0.bool }
  }

  public mutating func integer(_ key: String, in range: ClosedRange<Int>, _ unit: String = "")
    -> Int?
  {
    let wanted = "a whole number of \(range.lowerBound) to \(range.upperBound)\(unit)"
    guard let value = read(key, wanted, { $0.int }) else { return nil }
    return check(key, value, wanted, is: range.contains(value))
  }

  public mutating func number(_ key: String, in range: ClosedRange<Double>) -> Double? {
    let wanted = "a number of \(range.lowerBound) to \(range.upperBound)"
    guard let value = read(key, wanted, { $0.double ?? $0.int.map(Double.init) }) else {
      return nil
    }
    return check(key, value, wanted, is: range.contains(value))
  }

  public mutating func text(_ key: String, _ wanted: String) -> String? {
    read(key, wanted) { $0.string }
  }

  /// Reads a name: 1 to 128 bytes of printable UTF-8.
  public mutating func name(_ key: String, such example: String) -> String? {
    guard let name = text(key, "a name in quotes such as \"\(example)\"") else { return nil }
    guard !name.isEmpty else {
      report(key, "\(key) must not be empty; write a name such as \"\(example)\"")
      return nil
    }
    guard let known = name.asName else {
      report(key, "\(key) \(String.nameRule), not \(name.quoted)")
      return nil
    }
    return known
  }

  // MARK: Values with a meaning

  public mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String)
    -> Choice?
  {
    let names = Choice.allCases.map { "\"\($0.rawValue)\"" }
    let wanted = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    guard let text = text(key, wanted) else { return nil }
    guard let value = Choice(rawValue: text) else {
      report(key, "\(key) must be \(wanted), not \(text.quoted)")
      return nil
    }
    return value
  }

  public mutating func quantity(
    _ key: String, _ kind: Quantity, in range: ClosedRange<Int64>
  ) -> Int64? {
    guard let text = text(key, kind.wanted) else { return nil }
    switch kind.read(text) {
    case .refused(let why):
      report(key, "\(key) \(why)")
      return nil
    case .value(let value):
      let bounds = (kind.write(range.lowerBound), kind.write(range.upperBound))
      let wanted = "between \"\(bounds.0)\" and \"\(bounds.1)\""
      guard range.contains(value) else {
        report(key, "\(key) must be \(wanted), not \(text.quoted)")
        return nil
      }
      return value
    }
  }

  /// Reads a list.
  /// - Parameter wanted: the expected form, for the error message.
  /// - Returns: the elements with their lines; the line of the key for elements whose lines are not
  ///   known.
  public mutating func list(_ key: String, _ wanted: String) -> [(value: TOMLValue, line: Int)]? {
    guard let array = read(key, wanted, { $0.array }) else { return nil }
    let places = location.children[key]?.elements ?? []
    return array.enumerated().map { index, value in
      (value, index < places.count ? places[index].line : line(of: key))
    }
  }

  public mutating func report(line: Int, _ message: String) {
    problems.append(.init(file: file, line: line, message: message))
  }

  // MARK: Helpers

  private mutating func read<Value>(
    _ key: String, _ wanted: String, _ convert: (TOMLValue) -> Value?
  ) -> Value? {
    guard let value = table[key] else { return nil }
    if let converted = convert(value) { return converted }
    report(key, "\(key) must be \(wanted), not \(value.kindInWords)")
    return nil
  }

  private mutating func check<Value>(
    _ key: String, _ value: Value, _ wanted: String, is condition: Bool
  ) -> Value? {
    if condition { return value }
    report(key, "\(key) must be \(wanted), not \(value)")
    return nil
  }
}
