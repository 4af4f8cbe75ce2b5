internal import TouchModel

/// A configuration file that cannot be used: everything that is wrong with it.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One thing that is wrong.
  public struct Problem: Sendable, Hashable, CustomStringConvertible {
    /// As it was given.
    public let file: String
    /// From 1; nil where it is the whole file.
    public let line: Int?
    /// What is wrong and what would be right. Nothing that it quotes can upset a terminal.
    public let message: String

    /// `FILE:LINE: message`, the form that editors understand.
    public var description: String {
      let place = line.map { ":\($0)" } ?? ""
      return "\(file.printable(limit: .max))\(place): \(message)"
    }
  }

  /// Never empty; sorted by line.
  public let problems: [Problem]

  public init(_ problems: [Problem]) {
    // Sorting by line alone would shuffle the problems of one line.
    self.problems = problems.enumerated()
      .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
      .map(\.element)
  }

  init(file: String, line: Int? = nil, _ message: String) {
    self.init([Problem(file: file, line: line, message: message)])
  }

  /// A line for each problem, the first 20 of them.
  public var description: String {
    let shown = problems.prefix(20).map(\.description)
    let rest = problems.count - shown.count
    return (shown + (rest > 0 ? ["… and \(rest) more"] : [])).joined(separator: "\n")
  }
}
