import Heatmaps
import TestSupport
import Testing
import TouchModel

/// Tests by pixels that touched blocks are visible, and that untouched ones are not drawn.
@Suite struct VisibilityTests {
  private let lone = Block(column: 3, row: 2)
  private let busy = Block(column: 6, row: 4)

  /// Returns whether at least a fifth of a block's pixels look clearly different from the
  /// background.
  private func isSeen(_ block: Block, _ map: Pixels, on ground: Pixels) -> Bool {
    let pixels = Samples.indices(block, width: map.width)
    let seen = pixels.count { Samples.difference(map.values[$0], ground.values[$0]) > 15 }
    return 5 * seen >= pixels.count
  }

  @Test(arguments: ColourMap.all)
  func `One touch is visible on every background`(_ colours: ColourMap) throws {
    let geometry = try geometry()
    var options = HeatmapOptions()
    options.colours = colours
    for (name, ground) in Samples.grounds(160, 96) {
      for kind in ColourScale.Kind.allCases {
        options.scale = kind
        let alone = try Samples.map(Samples.grid([lone: 1], on: geometry), options, over: ground)
        #expect(isSeen(lone, alone, on: ground), "alone on \(name), \(kind)")
        let counts: [Block: UInt64] = [lone: 1, busy: 10_000_000]
        // Also with means far below 1.
        for sessions in [UInt64(1), 100_000] {
          let grid = Samples.grid(counts, on: geometry, sessions: sessions)
          let map = try Samples.map(grid, options, over: ground)
          #expect(isSeen(lone, map, on: ground), "beside 10 million on \(name), \(kind)")
          #expect(isSeen(busy, map, on: ground), "10 million on \(name), \(kind)")
        }
      }
    }
  }

  @Test func `Counts of ten million, ten thousand and one look different`() throws {
    let geometry = try geometry()
    let middle = Block(column: 8, row: 1)
    let grid = Samples.grid(
      [lone: 1, middle: 10_000, busy: 10_000_000], on: geometry, sessions: 1_000_000)
    for (name, ground) in Samples.grounds(160, 96) where name != "photograph" {
      let map = try Samples.map(grid, over: ground)
      let colours = [lone, middle, busy].map { map.values[Samples.middle($0, width: 160)] }
      #expect(Samples.difference(colours[0], colours[1]) > 15)
      #expect(Samples.difference(colours[1], colours[2]) > 15)
    }
  }

  @Test func `Without touches nothing is drawn`() throws {
    let geometry = try geometry()
    var smooth = HeatmapOptions()
    smooth.smoothing = 16
    for options in [HeatmapOptions(), smooth] {
      let empty = try Samples.map(Samples.grid(on: geometry), options)
      #expect(empty.values.allSatisfy { $0 == 0 })
      for (_, ground) in Samples.grounds(160, 96) {
        #expect(try Samples.map(Samples.grid(on: geometry), options, over: ground) == ground)
      }
    }
  }

  @Test func `A masked block looks neither untouched nor touched`() throws {
    let geometry = try geometry()
    let mask = try #require(Rectangle(x: 40, y: 20, width: 50, height: 30))
    let masked = Block(column: 4, row: 1)
    for (name, ground) in Samples.grounds(160, 96) {
      let map = try Samples.map(
        Samples.grid([busy: 4], on: geometry, masks: [mask]), over: ground)
      #expect(isSeen(masked, map, on: ground), "on \(name)")
      // Between the lines of a hatch, pixels of the screenshot stay unchanged. A touched block
      // changes all of its pixels.
      let pixels = Samples.indices(masked, width: 160)
      #expect(pixels.contains { map.values[$0] == ground.values[$0] })
      let touched = Samples.indices(busy, width: 160)
      #expect(!touched.contains { map.values[$0] == ground.values[$0] })
      // An untouched block outside the rows and columns of the mask.
      let free = Samples.indices(Block(column: 8, row: 5), width: 160)
      #expect(free.allSatisfy { map.values[$0] == ground.values[$0] })
    }
  }

  @Test func `Extreme numbers are drawn`() throws {
    let geometry = try geometry()
    for sessions in [UInt64(0), 1, .max] {
      for value in GridValue.allCases {
        for smoothing in [nil, 1.0, 500.0] {
          var options = HeatmapOptions()
          options.value = value
          options.smoothing = smoothing
          var grid = Samples.grid([lone: .max, busy: 1], on: geometry, sessions: 1)
          grid.sessions = sessions
          grid.shownMilliseconds = sessions
          let map = try Samples.map(grid, options)
          #expect(map.values.contains { $0 != 0 })
        }
      }
    }
  }
}
