import FoundationEssentials
import Heatmaps
import Recordings
import TestSupport
import Testing
import TouchModel

@testable import TouchgridCommands

/// The effect of a configured mask in pictures and comparisons, from the panel through the daemon
/// and its store.
@Suite struct MaskedPictureTests {
  /// 160 x 96 points, which are 10 x 6 blocks. The mask begins and ends within blocks.
  private static let settings = """
    [[display]]
    name = "kiosk"
    width = 160
    height = 96
    [[mask]]
    screen = "pay"
    x = 40
    y = 24
    width = 50
    height = 40
    """
  private static let masked = Set(
    (1...3).flatMap { row in (2...5).map { Block(column: $0, row: row) } })

  private let folder: TemporaryFolder
  private let store: String

  /// Records two sessions, ten minutes apart. In each, the screen `pay` gets a touch in the mask
  /// and two beside it, and `menu`, which has no mask, gets one touch at the same place as the
  /// masked one.
  init() throws {
    folder = try TemporaryFolder()
    store = folder.path("store.db")
    var gestures = Gestures(on: .panel(width: 1600, height: 960))
    func tap(_ column: Int32, _ row: Int32) {
      gestures.tap(0, at: (160 * column + 80, 160 * row + 80))
      gestures.wait(400_000)
    }
    for pause in [600_000_000, 0] as [Int64] {
      gestures.screen("pay")
      gestures.wait(400_000)
      for (column, row) in [(3, 2), (6, 2), (1, 5)] as [(Int32, Int32)] { tap(column, row) }
      gestures.screen("menu")
      gestures.wait(400_000)
      tap(3, 2)
      gestures.wait(pause)
    }
    let recording = try folder.write(gestures.recording.evemuText, to: "pay.evemu")
    let settings = try folder.write(Self.settings, to: "settings.toml")
    let daemon = try Program.run(
      ["--config", settings, "--store", store, "--replay", recording],
      program: try Program.path + "d", in: folder)
    #expect(daemon.status == 0, "\(daemon.error)")
  }

  private func heatmap(_ screen: String, _ name: String, _ arguments: String...) throws {
    let result = try Program.run(
      ["heatmap", screen, "--store", store, "--bare", "-o", folder.path(name)] + arguments,
      in: folder)
    #expect(result.status == 0 && result.error == "", "\(result.error)")
  }

  /// Returns the blocks that are drawn, and those in which the colour varies from pixel to pixel,
  /// as in hatches.
  private func blocks(_ name: String) throws -> (drawn: Set<Block>, hatched: Set<Block>) {
    let pixels = try Background(
      file: try TemporaryFolder.contents(folder.path(name)), name: name
    ).pixels
    let side = pixels.width / 10
    #expect(pixels.width == 10 * side && pixels.height == 6 * side)
    var (drawn, hatched): (Set<Block>, Set<Block>) = ([], [])
    for row in 0..<6 {
      for column in 0..<10 {
        var colours: Set<UInt32> = []
        // Skip the contour.
        for y in row * side + 4..<(row + 1) * side - 4 {
          for x in column * side + 4..<(column + 1) * side - 4 {
            colours.insert(pixels.values[y * pixels.width + x])
          }
        }
        if colours != [0] { drawn.insert(Block(column: column, row: row)) }
        if colours.count > 1 { hatched.insert(Block(column: column, row: row)) }
      }
    }
    return (drawn, hatched)
  }

  @Test func `The hatch covers exactly the masked blocks`() throws {
    let touched: Set = [Block(column: 6, row: 2), Block(column: 1, row: 5)]
    try heatmap("pay", "pay.png")
    let pay = try blocks("pay.png")
    #expect(pay.hatched == Self.masked)
    #expect(pay.drawn == Self.masked.union(touched))
    // Without --background a map is enlarged to 4 pixels per point.
    try heatmap("menu", "menu.png")
    let menu = try blocks("menu.png")
    #expect(menu.hatched.isEmpty && menu.drawn == [Block(column: 3, row: 2)])
    let result = try Program.run(["heatmap", "pay", "--store", store, "--json"], in: folder)
    let grids = try JSONDecoder().decode(Grids.self, from: Data(result.output)).grids
    let flags = try #require(grids.first).masked
    #expect(Self.blocks(of: flags) == Self.masked)
  }

  private struct Grids: Decodable {
    struct Grid: Decodable { var masked: [Bool] }
    var grids: [Grid]
  }

  private static func blocks(of flags: [Bool]) -> Set<Block> {
    Set(flags.indices.filter { flags[$0] }.map { Block(column: $0 % 10, row: $0 / 10) })
  }

  private struct Comparison: Decodable {
    struct Screen: Decodable {
      struct Block: Decodable {
        var column: Int
        var row: Int
        var verdict: String
      }
      var screen: String
      var blocks: [Block]
    }
    var screens: [Screen]
  }

  @Test func `A comparison marks exactly the masked blocks as masked`() throws {
    let result = try Program.run(
      ["compare", "..5m", "5m..", "--store", store, "--json"], in: folder)
    #expect(result.status == 0, "\(result.error)")
    let screens = try JSONDecoder().decode(Comparison.self, from: Data(result.output)).screens
    #expect(screens.map(\.screen).sorted() == ["menu", "pay"])
    for screen in screens {
      let masked = screen.blocks.filter { $0.verdict == "masked" }
        .map { Block(column: $0.column, row: $0.row) }
      #expect(Set(masked) == (screen.screen == "pay" ? Self.masked : []))
    }
  }
}
