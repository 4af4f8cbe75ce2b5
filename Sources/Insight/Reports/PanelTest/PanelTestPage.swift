package import Heatmaps
internal import Text

/// The result of a test of a panel on one page of A4.
package struct PanelTestPage {
  package let result: PanelTestResult

  package init(_ result: PanelTestResult) { self.result = result }

  /// A4 in CSS pixels of 1/96 inch.
  private static let (width, height) = (794.0, 1123.0)
  private static let margin = 56.0
  private static let inner = width - 2 * margin
  private static let good = Ink(Colour(red: 0, green: 110, blue: 60))
  private static let bad = Ink(Colour(red: 190, green: 20, blue: 30))
  private static let font = Font(size: 13)

  /// - Throws: an error of cairo.
  package func drawing() throws(PictureError) -> Drawing {
    let text = PanelTestText(result)
    let measurer = try TextMeasurer()
    var drawing = try Drawing(
      width: Int(Self.width), height: Int(Self.height),
      title:
        "Panel test: \(result.device.name.printable()), \(PanelTestText.words(result.verdict))",
      metadata: result.json)
    drawing.shapes = [
      .rectangle(Box(x: 0, y: 0, width: Self.width, height: Self.height), .white)
    ]
    var top = Self.margin
    func write(
      _ line: String, _ font: Font = Self.font, ink: Ink = .black, at x: Double = Self.margin,
      width: Double = Self.inner
    ) {
      let fitted = measurer.fitted(line, font, width: width)
      drawing.shapes.append(.text(Label(fitted, x: x, y: top, font: font, ink: ink)))
    }
    write("Panel test", Font(size: 26, isBold: true))
    top += 30
    write(
      text.conclusion, Font(size: 16, isBold: true),
      ink: result.verdict == .passed ? Self.good : result.verdict == .failed ? Self.bad : .grey)
    top += 26
    for fact in text.facts {
      for line in measurer.wrapped(fact, Self.font, width: Self.inner).prefix(2) {
        write(line, ink: .grey)
        top += 18
      }
    }
    top += 16
    let columns: [(title: String, x: Double, width: Double)] = [
      ("Measured", 0, 236), ("Value", 240, 68), ("Limit", 312, 108), ("From", 424, 100),
      ("Result", 530, 152),
    ]
    for column in columns {
      write(
        column.title, Font(size: 13, isBold: true), at: Self.margin + column.x, width: column.width)
    }
    top += 8
    for outcome in result.outcomes {
      drawing.shapes.append(
        .line(
          Position(Self.margin, top), Position(Self.width - Self.margin, top), width: 0.5, .grey))
      top += 17
      let ink: Ink =
        switch outcome.verdict {
        case .passed: Self.good
        case .failed: Self.bad
        case .notMeasured: .grey
        }
      let place = outcome.verdict == .failed ? outcome.step.map { ", \($0.name)" } ?? "" : ""
      let cells = [
        outcome.rule.title, PanelTestText.value(outcome), outcome.rule.limitWords,
        outcome.rule.source, PanelTestText.words(outcome.verdict) + place,
      ]
      for (column, cell) in zip(columns, cells) {
        write(
          cell, ink: column.title == "Result" ? ink : .black, at: Self.margin + column.x,
          width: column.width)
      }
      top += 6
    }
    top += 24
    let picture = pictureBox(below: top)
    drawing.shapes += shapes(in: picture)
    top = picture.bottom + 22
    let notes =
      [
        "The lines as they were asked for; red ones break a limit, grey ones were left out. "
          + "No touch is shown: the test keeps results only."
      ] + text.places
    var lines = notes.flatMap { measurer.wrapped($0, Self.font, width: Self.inner) }
    let room = Int((Self.height - Self.margin / 2 - top) / 18) + 1
    if lines.count > room {
      lines = lines.prefix(room - 1) + ["More places are in the JSON, which this file also holds."]
    }
    for line in lines {
      write(line, ink: .grey)
      top += 18
    }
    return drawing
  }

  /// The display's picture: as large as the page allows, with the display's aspect ratio.
  private func pictureBox(below top: Double) -> Box {
    let (surface, isTurned) = (result.device.surface, result.device.isTurned)
    let across = isTurned ? surface.height : surface.width
    let down = isTurned ? surface.width : surface.height
    let scale = min(Self.inner / across, (Self.height - Self.margin - 110 - top) / down)
    let (width, height) = (across * scale, down * scale)
    return Box(
      x: Self.margin + (Self.inner - width) / 2, y: top, width: width, height: height)
  }

  private func shapes(in box: Box) -> [Shape] {
    let corners = [
      Position(box.x, box.y), Position(box.right, box.y), Position(box.right, box.bottom),
      Position(box.x, box.bottom),
    ]
    var shapes: [Shape] = zip(corners, corners.dropFirst() + corners.prefix(1)).map {
      .line($0, $1, width: 1, .black)
    }
    func inset(_ place: (x: Double, y: Double)) -> Position {
      let gap = 6.0
      return Position(
        box.x + gap + place.x * (box.width - 2 * gap),
        box.y + gap + place.y * (box.height - 2 * gap)
      )
    }
    // Draw broken lines last, so that other lines do not cover them.
    for step in result.steps.filter(\.broken.isEmpty) + result.steps.filter({ !$0.broken.isEmpty })
    {
      let ink =
        step.measures == nil ? Ink.grey.opacity(0.4) : step.broken.isEmpty ? Self.good : Self.bad
      for line in step.step.lines {
        let (from, to) = (inset(line.from), inset(line.to))
        shapes.append(
          from == to
            ? .rectangle(Box(x: from.x - 5, y: from.y - 5, width: 10, height: 10), ink)
            : .line(from, to, width: step.broken.isEmpty ? 1.5 : 3, ink))
      }
    }
    return shapes
  }
}
