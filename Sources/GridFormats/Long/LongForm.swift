/// How lines of a table are written, one record a line.
public enum LongForm: String, CaseIterable, Sendable {
  /// RFC 4180 with a first line of names and lines that end with a line feed; nothing stands for
  /// null.
  case csv
  /// One JSON object a line (ndjson.org).
  case ndjson

  /// The line of names; empty where each record has them.
  public func header(_ columns: [String]) -> String {
    self == .csv ? columns.joined(separator: ",") + "\n" : ""
  }

  /// A part of a line: columns and their values, as many.
  public func part(_ columns: [String], _ values: [JSONValue]) -> String {
    switch self {
    case .csv: values.map(Self.field).joined(separator: ",")
    case .ndjson:
      zip(columns, values).map { JSONValue.string($0).text + ":" + $1.text }.joined(separator: ",")
    }
  }

  /// A line of parts.
  public func line(_ parts: String...) -> String {
    let text = parts.joined(separator: ",")
    return (self == .csv ? text : "{" + text + "}") + "\n"
  }

  /// Arrays and objects are JSON in a field.
  private static func field(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .string(let text): GridCSV.field(text)
    case .bool, .digits: value.text
    case .array, .object: GridCSV.field(value.text)
    }
  }
}

/// Takes lines and gives them on in larger pieces.
public struct LongWriter<Failure: Error> {
  private let form: LongForm
  private let columns: [String]
  private let write: ([UInt8]) throws(Failure) -> Void
  private var bytes: [UInt8] = []

  /// - Parameters:
  ///   - hasHeader: false where lines follow those of another.
  ///   - write: called with some 64 KiB at a time.
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

  /// - Parameter values: one a column.
  public mutating func add(_ values: [JSONValue]) throws(Failure) {
    try add(form.line(form.part(columns, values)))
  }

  public mutating func finish() throws(Failure) {
    if !bytes.isEmpty { try write(bytes) }
    bytes = []
  }
}
