internal import TouchModel

/// The shapes of the map itself.
extension MapSheet {
  /// The smallest side of a block, in line widths, that leaves room for a contour.
  private static let leastContouredSide = 6.0

  func map(_ area: Box, textSize: Double) -> [Shape] {
    let edges = BlockEdges(geometry, area)
    var shapes: [Shape] = []
    if let background { shapes.append(.image(background.pixels, area, isSmooth: false)) }
    let maskedBoxes = boxes(masked, edges)
    if let smoothed {
      shapes.append(.image(smoothed, area, isSmooth: true, holes: maskedBoxes))
    }
    for cell in cells {
      let ink = smoothed == nil ? cell.ink : cell.ink.opacity(0)
      shapes.append(
        .rectangle(edges.box(cell.block).middle(cell.part), ink, title: cell.title))
    }
    if smoothed == nil { shapes += contours(edges, width: max(1, (textSize / 20).rounded())) }
    if hasGridLines { shapes += gridLines(edges, width: max(1, (textSize / 26).rounded())) }
    shapes += maskTitles(edges)
    if !maskedBoxes.isEmpty {
      shapes.append(.hatch(maskedBoxes, spacing: Self.hatchSpacing(textSize)))
    }
    return shapes + frames.flatMap { frame($0, edges, width: max(2, (textSize / 6).rounded())) }
  }

  /// Returns the sides of a frame just outside its blocks, with a light line around them.
  private func frame(_ frame: Frame, _ edges: BlockEdges, width: Double) -> [Shape] {
    let (first, last) = (edges.box(frame.from), edges.box(frame.to))
    let box = Box(
      x: min(first.x, last.x), y: min(first.y, last.y),
      width: max(first.right, last.right) - min(first.x, last.x),
      height: max(first.bottom, last.bottom) - min(first.y, last.y))
    func sides(_ distance: Double, _ ink: Ink, title: String?) -> [Shape] {
      let area = edges.area
      let (left, top) = (max(area.x, box.x - distance), max(area.y, box.y - distance))
      let right = min(area.right, box.right + distance)
      let bottom = min(area.bottom, box.bottom + distance)
      return [
        Box(x: left, y: top, width: right - left, height: distance),
        Box(x: left, y: bottom - distance, width: right - left, height: distance),
        Box(x: left, y: top, width: distance, height: bottom - top),
        Box(x: right - distance, y: top, width: distance, height: bottom - top),
      ].map { .rectangle($0, ink, title: title) }
    }
    return sides(width + 1, .white, title: nil) + sides(width, frame.ink, title: frame.title)
  }

  /// Returns the contour: lines just inside the edge of the area of the contoured blocks. By
  /// default they are dark in light blocks and light in dark blocks, so that they are visible on a
  /// screenshot of any colour. Empty if the blocks are too small.
  private func contours(_ edges: BlockEdges, width: Double) -> [Shape] {
    guard edges.side >= Self.leastContouredSide * width else { return [] }
    let drawn = contoured ?? Set(cells.map(\.block))
    return cells.filter { drawn.contains($0.block) }.flatMap { cell in
      let box = edges.box(cell.block)
      let ink = contour ?? cell.ink.contrast.opacity(0.6 * cell.ink.opacity)
      func isFree(_ right: Int, _ down: Int) -> Bool {
        let block = Block(column: cell.block.column + right, row: cell.block.row + down)
        return !drawn.contains(block)
      }
      var sides: [Box] = []
      let (above, below) = (isFree(0, -1), isFree(0, 1))
      if above { sides.append(Box(x: box.x, y: box.y, width: box.width, height: width)) }
      if below {
        sides.append(Box(x: box.x, y: box.bottom - width, width: box.width, height: width))
      }
      // Shorten the vertical lines at corners. The lines are translucent, so an overlap would stand
      // out.
      let top = box.y + (above ? width : 0)
      let height = box.bottom - (below ? width : 0) - top
      guard height > 0 else { return sides.map { Shape.rectangle($0, ink) } }
      if isFree(-1, 0) { sides.append(Box(x: box.x, y: top, width: width, height: height)) }
      if isFree(1, 0) {
        sides.append(Box(x: box.right - width, y: top, width: width, height: height))
      }
      return sides.map { Shape.rectangle($0, ink) }
    }
  }

  private func gridLines(_ edges: BlockEdges, width: Double) -> [Shape] {
    let ink = Ink(Colour(red: 128, green: 128, blue: 128), opacity: 0.55)
    let area = edges.area
    let columns = edges.columns.dropFirst().dropLast().map {
      Shape.rectangle(Box(x: $0, y: area.y, width: width, height: area.height), ink)
    }
    let rows = edges.rows.dropFirst().dropLast().map {
      Shape.rectangle(Box(x: area.x, y: $0, width: area.width, height: width), ink)
    }
    return columns + rows
  }

  /// Returns the boxes of the blocks. Adjacent blocks of a row become one box.
  private func boxes(_ blocks: Set<Block>, _ edges: BlockEdges) -> [Box] {
    let blocks = blocks.sorted { ($0.row, $0.column) < ($1.row, $1.column) }
    var boxes: [Box] = []
    for (index, block) in blocks.enumerated() {
      let box = edges.box(block)
      if index > 0, blocks[index - 1] == Block(column: block.column - 1, row: block.row),
        let last = boxes.indices.last
      {
        boxes[last].width = box.right - boxes[last].x
      } else {
        boxes.append(box)
      }
    }
    return boxes
  }

  private func maskTitles(_ edges: BlockEdges) -> [Shape] {
    let drawn = Set(cells.map(\.block))
    return masked.subtracting(drawn).sorted { ($0.row, $0.column) < ($1.row, $1.column) }
      .map { block in
        Shape.rectangle(
          edges.box(block), Ink.white.opacity(0),
          title: "column \(block.column), row \(block.row): masked, positions are not recorded")
      }
  }

  static func hatchSpacing(_ textSize: Double) -> Double { max(5, (textSize / 2.4).rounded()) }
}

/// The position of blocks in a picture, in whole pixels. The last column and row end at the
/// display's edge. Each block has at least one pixel.
struct BlockEdges {
  let area: Box
  /// The left edge of each column and the right edge of the last one; in `rows`, the top edges and
  /// the bottom edge.
  let columns: [Double]
  let rows: [Double]

  init(_ geometry: DisplayGeometry, _ area: Box) {
    self.area = area
    func edges(_ count: Int, _ points: Double, _ start: Double, _ length: Double) -> [Double] {
      (0...count).map { index in
        let edge = Double(index * geometry.blockSize) / points * length
        return start + min(length, edge.rounded())
      }
    }
    columns = edges(geometry.columns, geometry.width, area.x, area.width)
    rows = edges(geometry.rows, geometry.height, area.y, area.height)
  }

  /// The shorter side of a whole block, in pixels.
  var side: Double {
    guard columns.count > 1, rows.count > 1 else { return 0 }
    return min(columns[1] - columns[0], rows[1] - rows[0])
  }

  func box(_ block: Block) -> Box {
    let (left, width) = Self.extent(columns, block.column)
    let (top, height) = Self.extent(rows, block.row)
    return Box(x: left, y: top, width: width, height: height)
  }

  private static func extent(_ edges: [Double], _ index: Int) -> (start: Double, length: Double) {
    guard edges.indices.contains(index), edges.indices.contains(index + 1), let last = edges.last
    else { return (edges.first ?? 0, 0) }
    let start = min(edges[index], last - 1)
    return (start, max(1, edges[index + 1] - start))
  }
}

extension Ink {
  /// Black or white, whichever contrasts more with this ink.
  var contrast: Ink {
    let (red, green, blue) = (Double(colour.red), Double(colour.green), Double(colour.blue))
    // Luma after ITU-R BT.709.
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 110 ? .black : .white
  }
}

extension Box {
  /// Returns a box with the same centre and sides of `part` times the length, in whole pixels and
  /// at least 1. From a `part` of 1 on, returns this box.
  func middle(_ part: Double) -> Box {
    guard part < 1 else { return self }
    let (inside, down) = (max(1, (width * part).rounded()), max(1, (height * part).rounded()))
    return Box(
      x: x + ((width - inside) / 2).rounded(.down), y: y + ((height - down) / 2).rounded(.down),
      width: inside, height: down)
  }
}
