internal import TouchgridAPI

/// What somebody should know about displays and outputs that do not fit.
struct Advice: Equatable {
  /// The same trouble has the same, whatever else changes.
  let key: String
  let text: String

  /// An output as people know it.
  struct Output: Equatable {
    /// Its connector; nil where the desktop does not tell.
    var name: String?
    /// In points.
    var width: Double
    var height: Double
  }

  /// One for each trouble, the first of them the one that explains most.
  /// - Parameters:
  ///   - displays: of the daemon, at least one.
  ///   - chosen: output by display, by the person.
  static func about(
    _ match: OutputMatch, _ displays: [String: API.Geometry], _ outputs: [Output],
    chosen: [String: String]
  ) -> [Advice] {
    guard !outputs.isEmpty else {
      return [Advice(key: "none", text: "the desktop has no output to draw on")]
    }
    let unknown = chosen.keys.filter { displays[$0] == nil }.sorted().map { name in
      Advice(
        key: "display \(name)",
        text: "the daemon has no display \(name); it has \(list(displays.keys.sorted()))")
    }
    // Who has misspelt a display need not be told as well that it is lacking.
    let unplaced = unknown.isEmpty ? match.unplaced.map { missing($0, outputs, chosen) } : []
    return unknown + unplaced + mismatches(match, displays, outputs)
  }

  private static func missing(
    _ name: String, _ outputs: [Output], _ chosen: [String: String]
  ) -> Advice {
    let names = outputs.compactMap(\.name)
    let there = names.isEmpty ? "the desktop names none" : "there are: \(list(names))"
    guard let wanted = chosen[name] else {
      return Advice(
        key: "unplaced \(name)",
        text: """
          no output bears the name of display \(name); \(there). Say which one shows it: --output \
          \(name)=OUTPUT
          """)
    }
    return Advice(key: "output \(wanted)", text: "there is no output \(wanted); \(there)")
  }

  private static func mismatches(
    _ match: OutputMatch, _ displays: [String: API.Geometry], _ outputs: [Output]
  ) -> [Advice] {
    zip(outputs, match.displays).flatMap { output, names in
      names.compactMap { name in
        guard let geometry = displays[name],
          let word = mismatch(
            width: geometry.width, height: geometry.height, output.width, output.height)
        else { return nil }
        let text = """
          display \(name) is \(word.display), output \(output.name ?? "without a name") is \
          \(word.output): set rotation for that display in touchgridd.toml
          """
        return Advice(key: text, text: text)
      }
    }
  }

  /// nil where both are upright, or both lie, or one is a square.
  static func mismatch(
    width: Double, height: Double, _ outputWidth: Double, _ outputHeight: Double
  ) -> (display: String, output: String)? {
    guard (width - height) * (outputWidth - outputHeight) < 0 else { return nil }
    return width < height ? ("portrait", "landscape") : ("landscape", "portrait")
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

/// What has been said already. Names may change without end; what is said may not.
struct Said {
  static let limit = 64
  private var keys: Set<String> = []

  /// Whether it is yet to be said; from now on it is not.
  mutating func isNew(_ key: String) -> Bool {
    keys.count < Self.limit && keys.insert(key).inserted
  }
}
