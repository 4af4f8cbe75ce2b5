/// Reads TOML text before the parser does. Finds the lines of the keys, and rejects text that must
/// not reach the parser.
///
/// toml++ (3.3 and 3.4) has assertions that fail, and may end the process, if a bare value, an
/// element of an array or a table's name begins incorrectly (`[=]`, `[[}]]`, `x = 2001-01-01 1`).
/// It also frees nested tables by recursion, so deep nesting may overflow the stack. This scanner
/// rejects all such text, and NUL, which no value may contain.
///
/// At any other invalid TOML, the scanner stops without an error, because the parser stops there
/// too and reports the reason. So the scanner may accept text that the parser rejects.
///
/// Escapes in quoted keys are not decoded, so the line of a key with an escape is not found.
struct KeyScanner {
  /// The maximum depth of nesting, for keys and for values. Real files have three levels.
  static let depthLimit = 16

  struct Refusal: Hashable {
    let line: Int
    let message: String
  }

  /// A table that has a header, and the bytes from its header to the end of its last value.
  struct Table: Equatable {
    /// The parts of its name, without quotes. Escapes are not decoded.
    var name: [String]
    /// Whether the header has double brackets.
    var isElement: Bool
    var bytes: Range<Int>
    /// Its keys with their values, in the order of the text.
    var pairs: [Pair] = []
  }

  /// A key with its value, and its bytes from the key to the end of the value.
  struct Pair: Equatable {
    /// The parts of the key, as in `Table`.
    var name: [String]
    var bytes: Range<Int>
  }

  let root = KeyLocation(line: 1)
  /// The tables with a header, in the order of the text.
  private(set) var tables: [Table] = []
  private(set) var refusals: [Refusal] = []

  private var reader: ByteReader

  init(_ text: String) {
    reader = ByteReader(text)
    if let line = reader.lineOfNUL {
      refuse("the file contains a NUL byte; it must be text", line: line)
    } else {
      scan()
    }
  }

  // MARK: Lines

  private mutating func scan() {
    var section = root
    reader.skipBlank()
    while let byte = reader.peek {
      if byte == UInt8(ascii: "[") {
        section = scanHeader()
      } else {
        let start = reader.position
        let name = scanPair(in: section, depth: 0)
        if let table = tables.last {
          tables[tables.count - 1].bytes = table.bytes.lowerBound..<reader.position
          tables[tables.count - 1].pairs.append(Pair(name: name, bytes: start..<reader.position))
        }
      }
      reader.skipSpaces()
      if let rest = reader.peek, !"#\r\n".utf8.contains(rest) { reader.stop() }
      reader.skipBlank()
    }
  }

  private mutating func scanHeader() -> KeyLocation {
    let (start, position) = (reader.line, reader.position)
    reader.advance()
    let isElement = reader.consume("[")
    let name = scanKey()
    let location = root.descend(name, line: start)
    if !reader.consume("]") || isElement && !reader.consume("]") { reader.stop() }
    tables.append(Table(name: name, isElement: isElement, bytes: position..<reader.position))
    return isElement ? location.appendTable(line: start) : location
  }

  /// - Returns: the parts of the key.
  @discardableResult
  private mutating func scanPair(in table: KeyLocation, depth: Int) -> [String] {
    let start = reader.line
    let name = scanKey()
    let location = table.descend(name, line: start)
    guard reader.consume("=") else {
      reader.stop()
      return name
    }
    reader.skipSpaces()
    scanValue(location, depth: depth)
    return name
  }

  /// Reads the parts of a dotted key.
  private mutating func scanKey() -> [String] {
    var keys: [String] = []
    repeat {
      reader.skipSpaces()
      let start = reader.position
      switch reader.peek {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        scanString()
        keys.append(reader.text(start + 1..<max(start + 1, reader.position - 1)))
      case .some(let byte) where ByteReader.isBareKey(byte):
        reader.skip(while: ByteReader.isBareKey)
        keys.append(reader.text(start..<reader.position))
      default:
        refuse("a key is missing, or contains characters other than A-Z a-z 0-9 _ and -")
        reader.stop()
      }
      reader.skipSpaces()
      if keys.count > Self.depthLimit { refuseDepth() }
    } while reader.consume(".")
    return keys
  }

  // MARK: Values

  private mutating func scanValue(_ location: KeyLocation, depth: Int) {
    guard depth < Self.depthLimit else { return refuseDepth() }
    switch reader.peek {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      scanString()
    case UInt8(ascii: "["):
      scanItems(until: "]") { scanner in
        let element = location.appendElement(line: scanner.reader.line)
        scanner.scanValue(element, depth: depth + 1)
      }
    case UInt8(ascii: "{"):
      scanItems(until: "}") { scanner in
        scanner.scanPair(in: location, depth: depth + 1)
      }
    default:
      scanBareValue()
    }
  }

  private mutating func scanItems(until end: Unicode.Scalar, item: (inout KeyScanner) -> Void) {
    reader.advance()
    reader.skipBlank()
    while !reader.consume(end) {
      if reader.peek == nil { return }
      item(&self)
      reader.skipBlank()
      if !reader.consume(","), reader.peek != UInt8(ascii: end) { reader.stop() }
      reader.skipBlank()
    }
  }

  /// Reads a number, true, false, or text without quotes, up to the end of the line or item.
  private mutating func scanBareValue() {
    let start = reader.position
    reader.skip { !",]}#\r\n".utf8.contains($0) }
    let value = BareValue(reader.text(start..<reader.position))
    if let complaint = value.complaint { refuse(complaint) }
  }

  /// Skips a string of any of the four kinds.
  private mutating func scanString() {
    guard let quote = reader.peek else { return }
    let isLong = reader.isTriple(quote)
    for _ in 0..<(isLong ? 3 : 1) { reader.advance() }
    while let byte = reader.peek {
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        if reader.starts(with: "\\u0000") || reader.starts(with: "\\U00000000") {
          refuse("a string must not contain a NUL character")
        }
        reader.advance()
        reader.advance()
      } else if isLong, reader.isTriple(quote) {
        // The closing three quotes may be preceded by up to two quotes that belong to the string.
        return reader.skip { $0 == quote }
      } else if !isLong, byte == quote {
        return reader.advance()
      } else if !isLong, byte == UInt8(ascii: "\n") {
        return reader.stop()
      } else {
        reader.advance()
      }
    }
  }

  // MARK: Refusals

  private mutating func refuseDepth() {
    refuse("keys or values are nested too deeply (at most \(Self.depthLimit) levels)")
    reader.stop()
  }

  private mutating func refuse(_ message: String, line: Int? = nil) {
    refusals.append(Refusal(line: line ?? reader.line, message: message))
  }
}
