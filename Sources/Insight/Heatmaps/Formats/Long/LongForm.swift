public import Text

/// A file format for tables with one record per line.
public enum LongForm: String, CaseIterable, Sendable {
  /// RFC 4180 with a first line of column names. Lines end with a line feed. An empty field stands
  /// for null.
  case csv
  /// One JSON object per line (ndjson.org).
  case ndjson

  /// Returns the first line of a file: the column names for CSV. Empty for NDJSON, where each
  /// record has the names.
  public func header(_ columns: [String]) -> String {
    self == .csv ? columns.joined(separator: ",") + "\n" : ""
  }

  /// Returns a part of a line: the values of some columns, with their names in NDJSON.
  public func part(_ columns: [String], _ values: [JSONValue]) -> String {
    switch self {
    case .csv: values.map(Self.field).joined(separator: ",")
    case .ndjson:
      zip(columns, values).map { JSONValue.string($0).text + ":" + $1.text }.joined(separator: ",")
    }
  }

  /// Returns a line made of parts.
  public func line(_ parts: String...) -> String {
    let text = parts.joined(separator: ",")
    return (self == .csv ? text : "{" + text + "}") + "\n"
  }

  /// Returns a value as a field. Arrays and objects become JSON text in the field.
  private static func field(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .string(let text): GridCSV.field(text)
    case .bool, .number: value.text
    case .array, .object: GridCSV.field(value.text)
    }
  }
}

/// Collects lines and passes them on in larger pieces.
public struct LongWriter<Failure: Error> {
  private let form: LongForm
  private let columns: [String]
  private let write: ([UInt8]) throws(Failure) -> Void
  private var bytes: [UInt8] = []

  /// - Parameters:
  ///   - hasHeader: false to leave the line of column names out, for lines that follow those of
  ///     another writer.
  ///   - write: receives whole lines, at least 64 KiB at a time; `finish` passes on the rest.
  public init(
    _ form: LongForm, _ columns: [String], hasHeader: Bool = true,
    write: @escaping ([UInt8]) throws(Failure) -> Void
  ) {
    self.form = form
    self.columns = columns
    self.write = write
    bytes = hasHeader ? Array(form.header(columns).utf8) : []
  }

  public mutating func add(_ line: String) throws(Failure) {
    bytes += line.utf8
    if bytes.count >= 1 << 16 { try finish() }
  }

  /// - Parameter values: one for each column.
  public mutating func add(_ values: [JSONValue]) throws(Failure) {
    try add(form.line(form.part(columns, values)))
  }

  /// Passes on the lines that are still buffered.
  public mutating func finish() throws(Failure) {
    if !bytes.isEmpty { try write(bytes) }
    bytes = []
  }
}
