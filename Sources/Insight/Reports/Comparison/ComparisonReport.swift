package import Text
package import TouchModel

/// The whole comparison that the user asked for.
package struct ComparisonReport {
  /// The sessions of one side.
  package struct Side {
    /// The selected sessions, as printable text.
    package var words: String
    /// The selected sessions, as JSON for programs.
    package var json: JSONValue

    package init(words: String, json: JSONValue) {
      self.words = words
      self.json = json
    }
  }

  package var a: Side
  package var b: Side
  package var layer: Layer
  /// The accepted rate of false discoveries, 0...1.
  package var level: Double
  package var screens: [ScreenComparison]
  /// The screens that only one side showed, which are not compared.
  package var onlyA: [GridKey]
  package var onlyB: [GridKey]
  /// The controls and gestures of screens that both sides have.
  package var controls = ControlComparison([], [], level: 0)

  /// - Parameters:
  ///   - gridsA: the grids of A, in the order in which the report lists the screens.
  ///   - gridsB: those of B.
  package init(
    _ a: Side, _ gridsA: [SummedGrid], _ b: Side, _ gridsB: [SummedGrid],
    layer: Layer, level: Double
  ) {
    (self.a, self.b, self.layer, self.level) = (a, b, layer, level)
    let ofB = Dictionary(gridsB.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    screens = gridsA.compactMap { grid in
      ofB[grid.key].map { ScreenComparison(grid, $0, level: level) }
    }
    let common = Set(screens.map(\.a.key))
    onlyA = gridsA.map(\.key).filter { !common.contains($0) }
    onlyB = gridsB.map(\.key).filter { !common.contains($0) }
  }
}
