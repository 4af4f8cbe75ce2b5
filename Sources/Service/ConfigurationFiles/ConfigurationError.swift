internal import Text
internal import TouchModel

/// All errors in a configuration file.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One error in a configuration file.
  public struct Problem: Sendable, Hashable, CustomStringConvertible {
    /// The path of the file, as it was given.
    public let file: String
    /// Counted from 1; nil if the error concerns the whole file.
    public let line: Int?
    /// The error and the remedy. Quoted text is escaped for terminals.
    public let message: String

    /// The form `FILE:LINE: message`, which editors understand.
    public var description: String {
      let place = line.map { ":\($0)" } ?? ""
      return "\(file.printable(limit: .max))\(place): \(message)"
    }
  }

  /// Sorted by line; never empty.
  public let problems: [Problem]

  public init(_ problems: [Problem]) {
    // The index as second criterion keeps errors in the same line in their order.
    self.problems = problems.enumerated()
      .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
      .map(\.element)
  }

  init(file: String, line: Int? = nil, _ message: String) {
    self.init([Problem(file: file, line: line, message: message)])
  }

  /// One line for each of the first 20 errors and, if there are more, a line with the number of the
  /// others.
  public var description: String {
    let shown = problems.prefix(20).map(\.description)
    let rest = problems.count - shown.count
    return (shown + (rest > 0 ? ["… and \(rest) more"] : [])).joined(separator: "\n")
  }
}
