import Heatmaps
import TestSupport
import Testing
import TouchModel

@Suite struct GridCSVTests {
  @Test func `A small grid is written as documented`() throws {
    let grid = Samples.grid(
      [Block(column: 1, row: 0): 3], on: try geometry(40, 16), screen: "a,\"b\"",
      sessions: 4)
    #expect(
      String(decoding: GridCSV.bytes([grid]), as: UTF8.self) == """
        screen,layer,column,row,x0,y0,x1,y1,sessions,count,count_sq,mean,\
        display,pixel_width,pixel_height,scale,rotation,block_size,days,shown_ms,touched_sessions,masked
        "a,""b""\",taps,0,0,0,0,16,16,4,0,0,0,HDMI-A-1,40,16,1,0,16,1,240000,0,0
        "a,""b""\",taps,1,0,16,0,32,16,4,3,9,0.75,HDMI-A-1,40,16,1,0,16,1,240000,1,0
        "a,""b""\",taps,2,0,32,0,40,16,4,0,0,0,HDMI-A-1,40,16,1,0,16,1,240000,0,0

        """)
  }

  @Test func `Every number of random grids is read back`() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<20 {
      let grids = try (0..<3).map { _ in try Samples.random(&generator) }
      let text = String(decoding: GridCSV.bytes(grids), as: UTF8.self)
      var lines = text.split(separator: "\n").dropFirst()
      for grid in grids {
        let geometry = grid.key.geometry
        for index in grid.sum.indices {
          let next = lines.popFirst()
          let line = try #require(next)
          // Only the display's name may contain commas, and that field comes after the ones checked
          // here.
          let fields = line.split(separator: ",")
          #expect(fields[1] == grid.layer.rawValue)
          #expect(Int(fields[2]) == index % geometry.columns)
          #expect(Int(fields[3]) == index / geometry.columns)
          #expect(UInt64(fields[9]) == grid.sum[index])
          #expect(UInt128(fields[10]) == grid.sumOfSquares[index])
          #expect(Double(fields[11]) == grid.means[index])
        }
      }
      #expect(lines.isEmpty)
    }
  }
}
