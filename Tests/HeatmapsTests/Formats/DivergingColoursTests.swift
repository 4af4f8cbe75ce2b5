import Heatmaps
import Testing

@Suite struct DivergingColoursTests {
  /// The expected colours are `matplotlib.colormaps["RdBu_r"]` at 0, 0.5 and 1, and one class in
  /// between.
  @Test func `The colours equal ColorBrewer's`() {
    #expect(DivergingColours.colour(at: -1) == Colour(red: 5, green: 48, blue: 97))
    #expect(DivergingColours.colour(at: 0) == Colour(red: 247, green: 247, blue: 247))
    #expect(DivergingColours.colour(at: 1) == Colour(red: 103, green: 0, blue: 31))
    #expect(DivergingColours.colour(at: 0.6) == Colour(red: 214, green: 96, blue: 77))
    #expect(DivergingColours.colour(at: 7) == DivergingColours.colour(at: 1))
  }

  /// Compares luma (ITU-R BT.709): differences of the same size must look equally strong.
  @Test func `Both sides are about equally dark`() {
    func luma(_ position: Double) -> Double {
      let colour = DivergingColours.colour(at: position)
      return 0.2126 * Double(colour.red) + 0.7152 * Double(colour.green)
        + 0.0722 * Double(colour.blue)
    }
    for step in 1...100 {
      let position = Double(step) / 100
      #expect(abs(luma(position) - luma(-position)) < 35)
      #expect(luma(position) < luma(position - 0.01) && luma(-position) < luma(0.01 - position))
    }
  }
}
