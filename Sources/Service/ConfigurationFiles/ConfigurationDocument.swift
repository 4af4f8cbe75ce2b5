internal import TouchModel

/// A configuration file, parsed into tables, with the line of each key.
public struct ConfigurationDocument<Section: ConfigurationSection> {
  /// The file name that errors show.
  public let file: String
  private let table: [String: TOMLValue]
  private let location: KeyLocation
  /// The errors found so far.
  public private(set) var problems: [ConfigurationError.Problem] = []

  /// Parses a configuration file.
  /// - Parameters:
  ///   - text: at most 1 MiB.
  ///   - file: the file name that errors show.
  /// - Throws: errors that prevent reading any key, such as syntax errors. Other errors are added
  ///   to `problems`.
  public init(text: String, file: String) throws(ConfigurationError) {
    guard text.utf8.count <= ConfigurationText.byteLimit else {
      throw ConfigurationError(file: file, "the file is larger than 1 MiB")
    }
    let scanner = KeyScanner(text)
    guard scanner.refusals.isEmpty else {
      throw ConfigurationError(
        scanner.refusals.map { .init(file: file, line: $0.line, message: $0.message) })
    }
    self.file = file
    location = scanner.root
    do throws(TOMLValue.ParseError) {
      table = try TOMLValue.parse(text).table ?? [:]
    } catch {
      throw ConfigurationError(
        file: file, line: error.line, SyntaxMessage<Section>(error.reason).text)
    }
    for key in table.keys.sorted() where Section(rawValue: key) == nil {
      let isTable = table[key].map { $0.table != nil || $0.array != nil } ?? false
      report(location.line(of: key), Section.unknownTopKey(key, isTable: isTable))
    }
  }

  /// Returns a reader for each table of a section; at most one if the section cannot be repeated.
  /// Adds an error to `problems` if the section does not have the right form.
  public mutating func readers(_ section: Section) -> [SectionReader<Section>] {
    guard let value = table[section.rawValue] else { return [] }
    let place = location.children[section.rawValue] ?? location
    if !section.isRepeated {
      if let table = value.table {
        return [SectionReader(section, table: table, location: place, file: file)]
      }
      report(place.line, "\(section.rawValue) must be written \(section.title), a single table")
      return []
    }
    guard let array = value.array else {
      let shape = "\(section.title), with double brackets, for each \(section.rawValue)"
      report(place.line, "\(section.rawValue) must be written \(shape)")
      return []
    }
    return array.enumerated().compactMap { index, element in
      let place = index < place.elements.count ? place.elements[index] : place
      guard let table = element.table else {
        report(place.line, "\(section.rawValue) must be written \(section.title), as a table")
        return nil
      }
      return SectionReader(section, table: table, location: place, file: file)
    }
  }

  public mutating func report(_ line: Int, _ message: String) {
    problems.append(.init(file: file, line: line, message: message))
  }

  /// Adds the errors that a reader found.
  public mutating func add(_ reader: SectionReader<Section>) { problems += reader.problems }
}
