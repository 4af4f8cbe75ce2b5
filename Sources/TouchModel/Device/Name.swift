extension StringProtocol {
  /// Whether it may name a screen or a display, wherever the name comes from: 1...128 bytes of
  /// printable UTF-8.
  public var isName: Bool { isPrintable(bytes: 1...128) }

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
