import ArgumentParser

/// A format of the files that a verb writes. Its raw value is the ending of the file's name.
protocol FileFormat: RawRepresentable<String>, CaseIterable, ExpressibleByArgument {
  static var json: Self { get }
}

extension FileFormat {
  /// The endings as text, such as `.csv or .json`.
  static var endings: String { FileEnding.list(allCases.map { "." + $0.rawValue }) }
  /// The values of `--format` as text, such as `csv or json`.
  static var names: String { FileEnding.list(allCases.map(\.rawValue)) }

  /// Whether a terminal cannot show the format.
  var isBinary: Bool { ["png", "pdf", "npy"].contains(rawValue) }
}

enum TableFormat: String, FileFormat {
  case csv, json
}
