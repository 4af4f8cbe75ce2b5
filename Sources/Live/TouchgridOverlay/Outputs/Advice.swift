internal import TouchgridAPI

/// A hint for the user about displays and outputs that do not match.
struct Advice: Equatable {
  /// Identifies the problem. Hints about the same problem have the same key.
  let key: String
  let text: String

  /// The properties by which a user recognises an output.
  struct Output: Equatable {
    /// The connector; nil if the desktop does not report it.
    var name: String?
    /// The size, in points.
    var width: Double
    var height: Double
  }

  /// Returns a hint for each problem, the most helpful one first.
  /// - Parameters:
  ///   - displays: The daemon's displays, at least one.
  ///   - chosen: The outputs that the user has chosen, by display.
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
        text: "the daemon has no display \(name); its displays are \(list(displays.keys.sorted()))")
    }
    // If a chosen display is unknown, its name is probably misspelt. A hint about the display that
    // therefore has no output would only repeat that.
    let unplaced = unknown.isEmpty ? match.unplaced.map { missing($0, outputs, chosen) } : []
    return unknown + unplaced + mismatches(match, displays, outputs)
  }

  private static func missing(
    _ name: String, _ outputs: [Output], _ chosen: [String: String]
  ) -> Advice {
    let names = outputs.compactMap(\.name)
    let there =
      names.isEmpty ? "the desktop reports no names of outputs" : "the outputs are \(list(names))"
    guard let wanted = chosen[name] else {
      return Advice(
        key: "unplaced \(name)",
        text: """
          no output has the name of the display, \(name); \(there). Choose one with --monitor \
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
          display \(name) is \(word.display), but output \(output.name ?? "without a name") is \
          \(word.output): set rotation in the [[display]] of \(name) in touchgridd.toml, \
          and reload the daemon
          """
        return Advice(key: text, text: text)
      }
    }
  }

  /// Returns the orientations of display and output if they differ; nil if both are the same or if
  /// one is a square.
  static func mismatch(
    width: Double, height: Double, _ outputWidth: Double, _ outputHeight: Double
  ) -> (display: String, output: String)? {
    guard (width - height) * (outputWidth - outputHeight) < 0 else { return nil }
    return width < height ? ("portrait", "landscape") : ("landscape", "portrait")
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

/// The keys of the hints that were given already. Their number is limited, because names may change
/// any number of times.
struct ReportedAdvice {
  static let limit = 64
  private var keys: Set<String> = []

  /// Records the key and returns whether it was new. It returns false once the limit is reached.
  mutating func isNew(_ key: String) -> Bool {
    keys.count < Self.limit && keys.insert(key).inserted
  }
}
