internal import Text

/// A page that is filled from top to bottom. All lengths are in pixels.
struct PageColumn: ~Copyable {
  let left: Double
  let width: Double
  let textSize: Double
  /// The top edge of the next element.
  var top: Double
  var shapes: [Shape]
  private let ruler: TextMeasurer

  init(left: Double, width: Double, top: Double, textSize: Double) throws(PictureError) {
    ruler = try TextMeasurer()
    self.left = left
    self.width = width
    self.top = top
    self.textSize = textSize
    shapes = []
  }

  /// Leaves a gap of this many times `textSize`.
  mutating func skip(_ sizes: Double) { top += (sizes * textSize).rounded() }

  /// Adds text, broken into lines.
  /// - Parameter most: the maximum number of lines. If the text needs more, the last line is cut
  ///   off.
  mutating func add(
    _ text: String, _ font: Font, ink: Ink = .black, most: Int = .max, indent: Double = 0
  ) {
    var lines = ruler.wrapped(text, font, width: width - indent)
    if lines.count > most {
      let rest = lines[(most - 1)...].joined(separator: " ")
      lines = lines[..<(most - 1)] + [ruler.fitted(rest + "…", font, width: width - indent)]
    }
    for line in lines {
      let height = (1.35 * font.size).rounded()
      let baseline = top + (1.02 * font.size).rounded()
      shapes.append(.text(Label(line, x: left + indent, y: baseline, font: font, ink: ink)))
      top += height
    }
  }

  /// Adds a sample of the hatch and its meaning.
  mutating func addHatch(_ text: String) {
    let sample = Box(
      x: left, y: top + (0.15 * textSize).rounded(), width: (2.2 * textSize).rounded(),
      height: (1.1 * textSize).rounded())
    let ground = Ink(Colour(red: 190, green: 190, blue: 194))
    shapes += [
      .rectangle(sample, ground),
      .hatch([sample], spacing: MapSheet.hatchSpacing(textSize)),
    ]
    add(text, Font(size: textSize), ink: .grey, indent: sample.width + (0.6 * textSize).rounded())
  }

  /// Adds two sample blocks and their meaning.
  mutating func add(_ sample: MapSheet.Sample) {
    let side = (1.1 * textSize).rounded()
    for index in 0..<2 {
      let box = Box(
        x: left + Double(index) * side, y: top + (0.15 * textSize).rounded(), width: side,
        height: side)
      shapes.append(.rectangle(box.middle(sample.part), sample.ink))
    }
    add(
      sample.text, Font(size: textSize), ink: .grey,
      indent: 2 * side + (0.6 * textSize).rounded())
  }

  /// Adds the colour bar, with its unit above and its tick labels below.
  mutating func add(_ bar: ColourBar) {
    let font = Font(size: textSize)
    add(bar.unit, font)
    let box = Box(
      x: left, y: top + (0.1 * textSize).rounded(),
      width: min(width, (36 * textSize).rounded()), height: textSize.rounded())
    shapes += [.rectangle(box, .white), .image(bar.pixels, box, isSmooth: true)]
    top = box.bottom
    let tick = (0.3 * textSize).rounded()
    let gap = 0.8 * textSize
    // Place the marks in order, and leave out every mark that would overlap an earlier one.
    var taken: [(left: Double, right: Double)] = []
    for mark in bar.ticks {
      let text = ruler.fitted(mark.text, font, width: box.width / 2)
      let length = ruler.width(text, font)
      let place = box.x + mark.part * box.width
      let start = min(box.right - length, max(box.x, place - length / 2)).rounded()
      guard taken.allSatisfy({ start > $0.right + gap || start + length < $0.left - gap }) else {
        continue
      }
      taken.append((start, start + length))
      let x = min(box.right - 1, place.rounded())
      shapes += [
        .rectangle(Box(x: x, y: top, width: 1, height: tick), .grey),
        .text(Label(text, x: start, y: top + tick + (0.95 * textSize).rounded(), font: font)),
      ]
    }
    top += tick + (1.35 * textSize).rounded()
    skip(0.15)
  }
}
