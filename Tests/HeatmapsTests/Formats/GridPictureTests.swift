import Heatmaps
import TestSupport
import Testing
import Text
import TouchModel

@Suite struct GridPictureTests {
  private func grid(on geometry: DisplayGeometry) -> SummedGrid {
    Samples.grid(
      [
        Block(column: 0, row: 0): 1, Block(column: 3, row: 1): 4, Block(column: 4, row: 2): 40,
        Block(column: 9, row: 5): 400, Block(column: 9, row: 4): 12,
      ], on: geometry, sessions: 4)
  }

  @Test func `A narrow terminal gets larger cells of the same shape`() throws {
    let geometry = try geometry(640, 320)
    let lines = GridPicture(
      Samples.grid([Block(column: 39, row: 19): 1], on: geometry), colours: .plain, width: 22
    ).lines(span: "all days")
    let picture = lines.filter { $0.hasPrefix("|") }
    #expect(lines.allSatisfy { textWidth($0) <= 22 })
    // 40 x 20 blocks in 20 columns: each cell covers 2 x 4 blocks.
    #expect(picture.count == 5)
    #expect(picture.last == "|" + String(repeating: " ", count: 19) + "@|")
    #expect(lines.joined(separator: " ").contains("8 blocks, 32 x 64 points"))
  }

  @Test func `A grid without counts draws nothing`() throws {
    for colours in TerminalColours.allCases {
      let lines = GridPicture(
        Samples.grid([:], on: try geometry()), colours: colours, width: 80
      ).lines(span: "all days")
      let cells = lines.filter { $0.hasPrefix("|") }
      #expect(cells.count == 3)
      #expect(cells.allSatisfy { $0 == "|          |" })
      #expect(lines.last?.contains("nothing was counted") == true)
    }
  }

  @Test func `Half blocks show two rows in one line`() throws {
    let geometry = try geometry(48, 48)
    let lines = GridPicture(
      Samples.grid(
        [
          Block(column: 0, row: 0): 5, Block(column: 1, row: 1): 5, Block(column: 2, row: 0): 5,
          Block(column: 2, row: 1): 5, Block(column: 0, row: 2): 5,
        ], on: geometry),
      colours: .full, width: 80
    ).lines(span: "all days")
    let most = "252;255;164m"
    let (ink, ground) = ("\u{1b}[38;2;\(most)", "\u{1b}[48;2;\(most)")
    #expect(
      lines.filter { $0.hasPrefix("|") } == [
        "|\(ink)▀▄\u{1b}[0m\(ink)\(ground)▀\u{1b}[0m|",
        "|\(ink)▀\u{1b}[0m  |",
      ])
  }

  @Test func `A terminal with 256 colours gets only those`() throws {
    let lines = GridPicture(grid(on: try geometry()), colours: .palette, width: 80)
      .lines(span: "all days")
    let text = lines.joined()
    #expect(text.contains("\u{1b}[38;5;"))
    #expect(!text.contains(";2;"))
  }

  @Test func `A single count is visible beside millions`() throws {
    let geometry = try geometry()
    let cells: [Block: UInt64] = [
      Block(column: 0, row: 0): 1, Block(column: 5, row: 3): 5_000_000,
    ]
    let grid = Samples.grid(cells, on: geometry, sessions: 1000)
    let plain = GridPicture(grid, colours: .plain, width: 80).lines(span: "all days")
    #expect(plain[3] == "|.         |")
    let colours = GridPicture(grid, colours: .full, width: 80).lines(span: "all days")
    #expect(colours[3].contains("▀"))
  }

  @Test func `Control characters in names are escaped`() throws {
    let lines = GridPicture(
      Samples.grid([:], on: try geometry(), screen: "\u{1b}[2J\n"), colours: .plain,
      width: 80
    ).lines(span: "all days")
    #expect(lines.first?.hasPrefix("\\u{1b}[2J\\u{a} on HDMI-A-1") == true)
  }

  @Test(arguments: [1, 2, 10, 64, 256, 1024])
  func `Every line fits the terminal`(columns: Int) throws {
    let geometry = try geometry(16 * columns, 32)
    let grid = Samples.grid([Block(column: columns - 1, row: 1): 3], on: geometry)
    for width in [20, 40, 80, 132] {
      let lines = GridPicture(grid, colours: .plain, width: width).lines(span: "all days")
      #expect(lines.allSatisfy { textWidth($0) <= width })
      // The touch is in the last column, with or without a frame.
      #expect(
        lines.contains { line in
          line.hasSuffix("@|") || line.last == "@" && line.dropLast().allSatisfy { $0 == " " }
        })
    }
  }
}
