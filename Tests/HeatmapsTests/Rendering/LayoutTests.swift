import Heatmaps
import TestSupport
import Testing
import TouchModel

@Suite struct LayoutTests {
  @Test(arguments: [
    (1, 1), (320, 240), (240, 320), (800, 1280), (1280, 800), (3840, 2160), (16_384, 64),
    (64, 16_384),
  ])
  func `Texts do not overlap and are not cut off`(width: Int, height: Int) throws {
    let geometry = try geometry(width, height)
    let mask = try #require(
      Rectangle(x: 0, y: 0, width: 100, height: 60))
    let names = [
      "menu", String(repeating: "long-name", count: 14),
      String(repeating: "many words ", count: 11),
    ]
    for name in names {
      for smoothing in [nil, 24.0] {
        var options = HeatmapOptions()
        options.smoothing = smoothing
        var grid = Samples.grid(
          [Block(column: 0, row: 0): 7], on: geometry, screen: name, display: name, layer: .dwell,
          sessions: 1234, masks: [mask])
        grid.sum[grid.sum.count - 1] = 900
        let drawing = try GridMap(grid, options: options, source: Samples.source).sheet.drawing()
        try check(drawing)
      }
    }
  }

  private func check(_ drawing: Drawing) throws {
    let ruler = try TextMeasurer()
    var boxes: [Box] = []
    for case .text(let label) in drawing.shapes {
      #expect(label.anchor == .start)
      let width = ruler.width(label.text, label.font)
      let box = Box(
        x: label.x, y: label.y - 0.75 * label.font.size, width: width,
        height: 0.95 * label.font.size)
      #expect(box.x >= 0 && box.right <= Double(drawing.width), "\(label.text)")
      #expect(box.y >= 0 && box.bottom <= Double(drawing.height), "\(label.text)")
      let isOver = boxes.contains {
        $0.x < box.right && box.x < $0.right && $0.y < box.bottom && box.y < $0.bottom
      }
      #expect(!isOver, "\(label.text)")
      #expect(label.font.size >= 13)
      boxes.append(box)
    }
    #expect(boxes.count >= 6)
  }

  @Test func `The map has the display's aspect ratio`() throws {
    for (width, height, expected) in [
      (1280, 800, (1280, 800)), (320, 240, (640, 480)), (1, 1, (16, 16)),
      (16_384, 8192, (4096, 2048)),
    ] {
      var options = HeatmapOptions()
      options.isBare = true
      let grid = Samples.grid(on: try geometry(width, height))
      let drawing = try GridMap(grid, options: options, source: Samples.source).sheet.drawing()
      #expect((drawing.width, drawing.height) == expected)
    }
  }

  @Test func `A picture that would need too much memory is refused`() throws {
    var options = HeatmapOptions()
    options.pixelsPerPoint = 16
    let grid = Samples.grid(on: try geometry(16_384, 16_384))
    let error = #expect(throws: PictureError.self) {
      try GridMap(grid, options: options, source: Samples.source).sheet.drawing()
    }
    #expect(error?.description.contains("smaller with --scale") == true)
  }
}
