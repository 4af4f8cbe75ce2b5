import Heatmaps
import TestSupport
import Testing

@Suite struct ColourTests {
  @Test func `Inferno begins and ends with matplotlib's colours`() {
    #expect(ColourMap.inferno.colour(at: 0) == Colour(red: 0, green: 0, blue: 4))
    #expect(ColourMap.inferno.colour(at: 1) == Colour(red: 252, green: 255, blue: 164))
    #expect(ColourMap.inferno.colour(at: -1) == ColourMap.inferno.colour(at: 0))
    #expect(ColourMap.inferno.colour(at: 7) == ColourMap.inferno.colour(at: 1))
  }

  @Test func `Inferno becomes brighter all the way`() {
    func brightness(_ position: Double) -> Double {
      let colour = ColourMap.inferno.colour(at: position)
      return 0.2126 * Double(colour.red) + 0.7152 * Double(colour.green)
        + 0.0722 * Double(colour.blue)
    }
    let steps = (0...100).map { brightness(Double($0) / 100) }
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test(arguments: [
    (Colour(red: 0, green: 0, blue: 0), 16), (Colour(red: 255, green: 255, blue: 255), 231),
    (Colour(red: 255, green: 0, blue: 0), 196), (Colour(red: 95, green: 135, blue: 175), 67),
    (Colour(red: 128, green: 128, blue: 128), 244), (Colour(red: 8, green: 8, blue: 8), 232),
  ])
  func `The palette index is that of the nearest colour`(colour: Colour, index: Int) {
    #expect(colour.paletteIndex == index)
  }

  @Test func `Percentiles equal NumPy's`() {
    // numpy.percentile([15, 20, 35, 40, 50], [0, 5, 30, 40, 50, 99, 100])
    let values: [Double] = [50, 20, 15, 40, 35]
    let expected = [(0, 15), (5, 16), (30, 23), (40, 29), (50, 35), (99, 49.6), (100, 50)]
    for (percentile, value) in expected {
      let found = ColourScale.percentile(Double(percentile), of: values) ?? .nan
      #expect(abs(found - value) < 1e-9)
    }
    #expect(ColourScale.percentile(99, of: []) == nil)
    #expect(ColourScale.percentile(50, of: [3]) == 3)
  }

  @Test func `A larger count never has a lower position on the scale`() {
    var generator = SeededGenerator(seed: 3)
    let counts = (0..<200).map { _ in Double.random(in: 0...500, using: &generator) }.sorted()
    let scale = ColourScale(counts: counts)
    let positions = counts.compactMap(scale.position)
    #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(positions.allSatisfy { (ColourScale.floor...1).contains($0) })
    // Only the highest hundredth is clipped.
    #expect(counts.count { $0 > scale.limit } == 2)
  }

  @Test func `Terminals get the colours that their environment declares`() {
    func colours(_ variables: [String: String], isTerminal: Bool = true) -> TerminalColours {
      TerminalColours(isTerminal: isTerminal) { variables[$0] }
    }
    #expect(colours(["TERM": "xterm-256color", "COLORTERM": "truecolor"]) == .full)
    #expect(colours(["TERM": "xterm-direct"]) == .full)
    #expect(colours(["TERM": "screen-256color"]) == .palette)
    #expect(colours(["TERM": "linux"]) == .plain)
    #expect(colours([:]) == .plain)
    #expect(colours(["TERM": "dumb", "COLORTERM": "24bit"]) == .plain)
    #expect(
      colours(["TERM": "xterm", "COLORTERM": "24bit", "NO_COLOR": "1"]) == .plain)
    #expect(colours(["TERM": "xterm", "COLORTERM": "24bit", "NO_COLOR": ""]) == .full)
    #expect(colours(["COLORTERM": "truecolor"], isTerminal: false) == .plain)
  }
}
