extension String {
  /// The text as a name of a screen or a display, wherever it comes from: 1...128 bytes of printable
  /// UTF-8, in Unicode's normal form C. Nil where it is none.
  ///
  /// Browsers, file systems and keyboards write "é" as one scalar or as two. Swift takes both for the
  /// same text, SQLite does not. So every name is normalised once, where it enters.
  public var asName: String? {
    let name = normalised
    return name.isPrintable(bytes: 1...128) ? name : nil
  }

  /// The text in Unicode's normal form C (UAX #15).
  public var normalised: String {
    // ASCII is in normal form, and most names are ASCII.
    utf8.allSatisfy { $0 < 0x80 } ? self : String(decoding: _nfcCodeUnits, as: UTF8.self)
  }
}

extension StringProtocol {
  /// Whether nothing in it could disturb a log line, a terminal or a file name, and its UTF-8 is as
  /// long as wanted. Tags: keys of 1...64 bytes, values of 0...128.
  public func isPrintable(bytes: ClosedRange<Int>) -> Bool {
    bytes.contains(utf8.count) && unicodeScalars.allSatisfy(\.isShown)
  }
}

extension String {
  /// Whether both have the same bytes of UTF-8. SQLite compares names like that; Swift's `==` also equates different
  /// Unicode forms of a text, such as an é of one scalar and one of two.
  public func hasSameBytes(as other: String) -> Bool {
    var (left, right) = (self, other)
    return left.withUTF8 { left in
      right.withUTF8 { right in unsafe left.elementsEqual(right) }
    }
  }

  /// Whether its bytes of UTF-8 sort before those of another, as in SQLite's `BINARY` collation.
  public func hasBytesBefore(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// For types whose `==` is `hasSameBytes`.
  func hashBytes(into hasher: inout Hasher) {
    var text = self
    text.withUTF8 { bytes in unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
    // No byte of UTF-8: it keeps one name apart from the next.
    hasher.combine(UInt8(0xff))
  }
}

extension Unicode.Scalar {
  /// Shows as something, and does nothing else to a terminal.
  public var isShown: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    default: true
    }
  }
}
