/// Adds, replaces and removes single tables of a `[[…]]` in the text of a configuration file. Every
/// other byte stays as it is: comments, order and line ends. In a replaced table, lines with only a
/// comment stay.
///
/// `KeyScanner` finds the bytes of the tables. Each new text is parsed again and compared with the
/// old one, so no edit can change anything else.
public struct TableEditor {
  /// The reason why a text cannot be edited.
  public struct Refusal: Error, Equatable {
    public let reason: String
  }

  private let bytes: [UInt8]
  private let root: [String: TOMLValue]
  private let tables: [KeyScanner.Table]

  /// - Throws: a refusal if the text is not valid TOML.
  public init(_ text: String) throws(Refusal) {
    bytes = Array(text.utf8)
    let scanner = KeyScanner(text)
    if let refusal = scanner.refusals.first {
      throw Refusal(reason: "line \(refusal.line): \(refusal.message)")
    }
    tables = scanner.tables
    do throws(TOMLValue.ParseError) {
      root = try TOMLValue.parse(text).table ?? [:]
    } catch {
      throw Refusal(reason: "line \(error.line): \(error.reason)")
    }
  }

  /// The tables of a `[[…]]`, in the order of the text.
  /// - Throws: a refusal if they are not all written with headers of their own.
  public func elements(_ name: String) throws(Refusal) -> [[String: TOMLValue]] {
    let values = root[name].map { $0.array ?? [$0] } ?? []
    let elements = values.compactMap(\.table)
    // A header with an escape in its name is not recognised, and an inline list has none.
    guard elements.count == values.count, elements.count == places(name).count else {
      throw Refusal(
        reason: "not every \(name) has a header [[\(name)]] of its own, so change it by hand")
    }
    return elements
  }

  /// Returns the text with another table at its end.
  /// - Parameter lines: the keys and values of the table.
  public func adding(_ lines: [String], to name: String) throws(Refusal) -> String {
    let before = try elements(name)
    var edited = bytes
    if edited.count > start {
      // Ends the last line, and adds an empty one.
      edited += edited.last == UInt8(ascii: "\n") ? lineEnd : lineEnd + lineEnd
    }
    edited += table(lines, name) + lineEnd
    return try checked(edited, name, before + [Self.parsed(lines)])
  }

  /// Returns the text with a table in the place of another one.
  public func replacing(_ index: Int, of name: String, by lines: [String]) throws(Refusal) -> String
  {
    var elements = try elements(name)
    elements[index] = try Self.parsed(lines)
    var edited = bytes
    let range = wholeLines(of: places(name)[index])
    edited.replaceSubrange(range, with: comments(in: range) + table(lines, name) + lineEnd)
    return try checked(edited, name, elements)
  }

  /// Returns the text with another value of one key of a table. Its other keys and its comments stay
  /// as they are.
  /// - Parameter line: the key and its value.
  public func setting(
    _ key: String, _ index: Int, of name: String, by line: String
  ) throws(Refusal) -> String {
    var elements = try elements(name)
    elements[index].merge(try Self.parsed([line])) { $1 }
    let table = tables.filter { $0.isElement && $0.name == [name] }[index]
    var edited = bytes
    if let pair = table.pairs.first(where: { $0.name == [key] }) {
      // The scanner counts spaces after a bare value among its bytes.
      let spaces = bytes[pair.bytes].reversed().prefix { " \t".utf8.contains($0) }.count
      edited.replaceSubrange(pair.bytes.dropLast(spaces), with: Array(line.utf8))
    } else {
      let end = wholeLines(of: table.bytes).upperBound
      let isEnded = edited[end - 1] == UInt8(ascii: "\n")
      edited.insert(
        contentsOf: (isEnded ? [] : lineEnd) + Array(line.utf8) + lineEnd, at: end)
    }
    return try checked(edited, name, elements)
  }

  /// Returns the text without a table, and without one of the empty lines around it.
  public func removing(_ index: Int, of name: String) throws(Refusal) -> String {
    var elements = try elements(name)
    elements.remove(at: index)
    var range = wholeLines(of: places(name)[index])
    if range.upperBound == bytes.count || emptyLine(at: range.upperBound) != nil,
      let above = emptyLine(before: range.lowerBound)
    {
      range = above..<range.upperBound
    }
    var edited = bytes
    edited.removeSubrange(range)
    return try checked(edited, name, elements)
  }

  // MARK: Bytes

  private func places(_ name: String) -> [Range<Int>] {
    tables.filter { $0.isElement && $0.name == [name] }.map(\.bytes)
  }

  /// The start of the text, after a byte order mark.
  private var start: Int { bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0 }

  private var lineEnd: [UInt8] {
    let first = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0
    return first > 0 && bytes[first - 1] == UInt8(ascii: "\r") ? Array("\r\n".utf8) : [10]
  }

  private func table(_ lines: [String], _ name: String) -> [UInt8] {
    Array((["[[\(name)]]"] + lines).map { Array($0.utf8) }.joined(separator: lineEnd))
  }

  /// The lines that hold a range, with the last line's end.
  private func wholeLines(of range: Range<Int>) -> Range<Int> {
    let newline = UInt8(ascii: "\n")
    let first = bytes[start..<range.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? start
    let last = bytes[range.upperBound...].firstIndex(of: newline).map { $0 + 1 } ?? bytes.count
    return first..<last
  }

  /// The lines in a range with only a comment, including their line ends.
  private func comments(in range: Range<Int>) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    return bytes[range].split(separator: newline).flatMap { line -> [UInt8] in
      let first = line.first { !" \t".utf8.contains($0) }
      return first == UInt8(ascii: "#") ? line + [newline] : []
    }
  }

  /// The end of the empty line that begins at a position; nil if the line is not empty.
  private func emptyLine(at position: Int) -> Int? {
    guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")),
      bytes[position..<end].allSatisfy({ " \t\r".utf8.contains($0) })
    else { return nil }
    return end + 1
  }

  /// The start of the empty line that ends at a position; nil if the line is not empty.
  private func emptyLine(before position: Int) -> Int? {
    guard position > start else { return nil }
    let begin =
      bytes[start..<position - 1].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? start
    return emptyLine(at: begin) == position ? begin : nil
  }

  // MARK: Checks

  private static func parsed(_ lines: [String]) throws(Refusal) -> [String: TOMLValue] {
    let text = lines.joined(separator: "\n")
    guard KeyScanner(text).refusals.isEmpty,
      let table = (try? TOMLValue.parse(text))?.table
    else { throw Refusal(reason: "the new table is not valid TOML") }
    return table
  }

  /// Returns an edited text if exactly the expected tables have changed.
  private func checked(
    _ edited: [UInt8], _ name: String, _ elements: [[String: TOMLValue]]
  ) throws(Refusal) -> String {
    var wished = root
    wished[name] = elements.isEmpty ? nil : .array(elements.map(TOMLValue.table))
    guard let text = String(validating: edited, as: UTF8.self),
      let editor = try? TableEditor(text), editor.root == wished
    else {
      throw Refusal(
        reason: "the \(name) cannot be changed safely in this file, so change it by hand")
    }
    return text
  }
}
