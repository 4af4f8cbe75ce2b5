import Heatmaps
import TestSupport
import Testing

@Suite struct CoarseGridTests {
  @Test func `Blocks are added up from the top left`() {
    let grid = CoarseGrid(
      [1, 2, 3, 4, 5, 6, 7, 8, 9], columns: 3, blocksAcross: 2, blocksDown: 2)
    #expect(grid.columns == 2 && grid.rows == 2)
    #expect(grid.counts == [12, 9, 15, 9])
    #expect(grid.count(column: 1, row: 1) == 9)
    #expect(grid.count(column: 2, row: 0) == nil)
  }

  @Test func `Coarse grids of any size keep the sum of the counts`() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<100 {
      let columns = Int.random(in: 1...40, using: &generator)
      let rows = Int.random(in: 1...40, using: &generator)
      let counts = (0..<columns * rows).map { _ in
        Double(Int.random(in: 0...9, using: &generator))
      }
      let coarse = CoarseGrid(
        counts, columns: columns, blocksAcross: .random(in: 1...50, using: &generator),
        blocksDown: .random(in: 1...50, using: &generator))
      let sum: Double = counts.reduce(0, +)
      #expect(coarse.counts.reduce(0, +) == sum)
    }
  }
}
