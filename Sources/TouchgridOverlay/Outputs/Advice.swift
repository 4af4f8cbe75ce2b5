internal import CGTK
internal import TouchgridAPI

/// What somebody should know about displays and outputs that do not fit, each thing once.
struct Advice {
  private var given: Set<String> = []

  mutating func about(
    _ match: OutputMatch, _ displays: [String: API.Display], _ outputs: [Output]
  ) -> [String] {
    var lines: [String] = []
    for name in match.unplaced {
      let names = outputs.compactMap(\.name).joined(separator: ", ")
      lines.append(
        """
        no output bears the name of display \(name): say which one shows it, --output \
        \(name)=OUTPUT (outputs: \(names))
        """)
    }
    for (output, names) in zip(outputs, match.displays) {
      for name in names {
        guard let geometry = displays[name]?.geometry,
          let word = Self.mismatch(
            width: geometry.width, height: geometry.height, Double(output.place.width),
            Double(output.place.height))
        else { continue }
        lines.append(
          """
          display \(name) is \(word.display), output \(output.description) is \(word.output): set \
          rotation for that display in touchgridd.toml
          """)
      }
    }
    return lines.filter { given.insert($0).inserted }
  }

  mutating func once(_ line: String?) -> String? {
    line.flatMap { given.insert($0).inserted ? $0 : nil }
  }

  /// nil where both are upright, or both lie, or one is a square.
  static func mismatch(
    width: Double, height: Double, _ outputWidth: Double, _ outputHeight: Double
  ) -> (display: String, output: String)? {
    guard (width - height) * (outputWidth - outputHeight) < 0 else { return nil }
    return width < height ? ("portrait", "landscape") : ("landscape", "portrait")
  }
}
