/// The page around the map. If the display is narrow, the page is wider than the map, so that the
/// texts have room.
extension MapSheet {
  /// The minimum width of a page as a multiple of the text size, so that the legend has room.
  private static let leastWidth = 40.0

  func page(_ size: MapSize) throws(PictureError) -> Drawing {
    let em = size.textSize
    let margin = (1.2 * em).rounded()
    let width = max(Double(size.width), (Self.leastWidth * em).rounded())
    let column = try PageColumn(left: margin, width: width, top: margin, textSize: em)
    return try lay(size, column)
  }

  private func lay(
    _ size: MapSize, _ start: consuming PageColumn
  ) throws(PictureError) -> Drawing {
    var column = start
    let em = column.textSize
    column.add(title, Font(size: (1.35 * em).rounded(), isBold: true), most: 2)
    for caption in captions { column.add(caption, Font(size: em), ink: .grey) }
    column.skip(0.7)

    let area = Box(
      x: column.left, y: column.top, width: Double(size.width), height: Double(size.height))
    column.shapes += frame(area)
    column.shapes += map(area, textSize: em)
    column.top += area.height
    column.skip(0.9)

    if let bar { column.add(bar) }
    for sample in samples { column.add(sample) }
    if !masked.isEmpty {
      column.addHatch("masked: positions of touches are not recorded")
    }
    for note in notes { column.add(note, Font(size: em), ink: .grey) }

    let width = column.left + column.width + column.left
    let height = column.top + column.left / 2
    var drawing = try Drawing(
      width: Int(width), height: Int(height.rounded(.up)), title: title, metadata: metadata(area))
    drawing.shapes =
      [.rectangle(Box(x: 0, y: 0, width: width, height: height.rounded(.up)), .white)]
      + column.shapes
    return drawing
  }

  /// Returns a frame of one pixel just outside the map, and the white ground of the map.
  private func frame(_ area: Box) -> [Shape] {
    let ink = Ink(Colour(red: 170, green: 170, blue: 176))
    let outer = Box(
      x: area.x - 1, y: area.y - 1, width: area.width + 2, height: area.height + 2)
    return [.rectangle(outer, ink), .rectangle(area, .white)]
  }
}
