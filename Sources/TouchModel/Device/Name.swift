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
