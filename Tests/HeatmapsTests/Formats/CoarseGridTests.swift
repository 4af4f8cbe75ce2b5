import Heatmaps
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
}
