import Text

/// Text in the format OpenMetrics 1.0. It avoids the metric type "info", which the parser of
/// node_exporter refuses.
struct OpenMetrics {
  enum Kind: String {
    case gauge, counter
  }

  struct Sample {
    /// The labels, in the order of the text.
    var labels: [(name: String, value: String)] = []
    var value: String

    init(_ value: Int64, _ labels: (name: String, value: String)...) {
      (self.value, self.labels) = ("\(value)", labels)
    }

    /// A time or a duration in seconds.
    init(milliseconds: Int64, _ labels: (name: String, value: String)...) {
      let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
      let sign = seconds == 0 && rest < 0 ? "-" : ""
      let digits = String(String(1000 + rest.magnitude).dropFirst())
      (value, self.labels) = ("\(sign)\(seconds).\(digits)", labels)
    }
  }

  private(set) var lines: [String] = []

  /// Adds a metric, if it has samples.
  /// - Parameters:
  ///   - name: without the suffix of a counter's samples.
  ///   - unit: the last part of the name; nil if it has none.
  mutating func add(
    _ kind: Kind, _ name: String, unit: String? = nil, _ help: String, _ samples: [Sample]
  ) {
    guard !samples.isEmpty else { return }
    let name = name + (unit.map { "_" + $0 } ?? "")
    lines.append("# TYPE \(name) \(kind.rawValue)")
    if let unit { lines.append("# UNIT \(name) \(unit)") }
    lines.append("# HELP \(name) \(Self.escaped(help))")
    let suffix = kind == .counter ? "_total" : ""
    for sample in samples {
      let labels = sample.labels.map { label in
        "\(label.name)=\"\(Self.escaped(Self.label(label.value)))\""
      }
      let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
      lines.append("\(name)\(suffix)\(list) \(sample.value)")
    }
  }

  mutating func end() { lines.append("# EOF") }

  /// Returns the value of a label as it is written, except for escapes.
  static func label(_ value: String) -> String { value.printable(limit: 4096) }

  /// Works on scalars, because a quotation mark followed by a combining mark is a single character.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
