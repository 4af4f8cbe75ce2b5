internal import Text

extension String {
  /// The text as the name of a screen or a display, from any source: 1 to 128 bytes of printable
  /// UTF-8, in Unicode's normal form C. nil if the text is not a valid name, or has only blanks and
  /// U+FFFD, which replaces unreadable text: people could not tell such a name from another.
  ///
  /// Browsers, file systems and keyboards write "é" as one scalar or as two. Swift treats both as
  /// the same text, SQLite does not. Therefore every name is normalised once, where it enters the
  /// program.
  public var asName: String? {
    let name = normalised
    return name.isPrintable(bytes: 1...128) && name.unicodeScalars.contains(where: \.isLegible)
      ? name : nil
  }

  /// The rule for names, for messages; completes "it …".
  public static var nameRule: String {
    "must be 1 to 128 bytes of printable text, and not blank"
  }

  /// The text in Unicode's normal form C (UAX #15).
  public var normalised: String {
    // ASCII is in normal form, and most names are ASCII.
    utf8.allSatisfy { $0 < 0x80 } ? self : String(decoding: _nfcCodeUnits, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is neither a blank, nor a filler, nor U+FFFD.
  fileprivate var isLegible: Bool {
    if isASCII { return self != " " }
    // U+2800 is a pattern of Braille without dots.
    return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
      && value != 0x2800 && value != 0xfffd
  }
}

extension StringProtocol {
  /// Whether the text is safe in a log line, a terminal and a file name, and its length in bytes of
  /// UTF-8 is in the given range.
  public func isPrintable(bytes: ClosedRange<Int>) -> Bool {
    bytes.contains(utf8.count) && unicodeScalars.allSatisfy(\.isShown)
  }
}

extension String {
  /// Whether both texts have the same UTF-8 bytes, which is how SQLite compares names. Swift's `==`
  /// also equates canonically equivalent texts, such as é as one scalar and é as two.
  public func hasSameBytes(as other: String) -> Bool {
    var (left, right) = (self, other)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard left.count == right.count else { return false }
        // Eight bytes at a time, then the last ones. `elementsEqual` would take far longer.
        let (left, right) = (UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
        var index = 0
        while index + 8 <= left.count {
          let (one, other) = unsafe (
            left.loadUnaligned(fromByteOffset: index, as: UInt64.self),
            right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          )
          guard one == other else { return false }
          index += 8
        }
        while index < left.count, unsafe left[index] == right[index] { index += 1 }
        return index == left.count
      }
    }
  }

  /// Whether the UTF-8 bytes of the text sort before those of another, as in SQLite's `BINARY`
  /// collation.
  public func hasBytesBefore(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Hashes the UTF-8 bytes, for types that compare names with `hasSameBytes`.
  func hashBytes(into hasher: inout Hasher) {
    var text = self
    text.withUTF8 { bytes in unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
    // This byte never occurs in UTF-8, so it separates one name from the next.
    hasher.combine(UInt8(0xff))
  }
}
