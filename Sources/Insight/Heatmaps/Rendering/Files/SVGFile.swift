internal import Text
internal import TouchModel

/// Writes a drawing as SVG 1.1: one file without scripts or external references. Shapes with a
/// title have it as `<title>`, which browsers show and screen readers read. `<metadata>` holds the
/// metadata as JSON.
enum SVGFile {
  static func bytes(_ drawing: Drawing) throws(PictureError) -> [UInt8] {
    let ruler = try TextMeasurer()
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
      width="\(drawing.width)" height="\(drawing.height)" \
      viewBox="0 0 \(drawing.width) \(drawing.height)" role="img">
      <title>\(escaped(drawing.title))</title>
      <metadata>\(escaped(drawing.metadata.text))</metadata>

      """
    for (index, shape) in drawing.shapes.enumerated() {
      switch shape {
      case .rectangle(let box, let ink, let title):
        let end =
          title.map { "><title>\(escaped($0))</title></rect>" } ?? "/>"
        text += "<rect \(attributes(box)) \(attributes("fill", ink)) shape-rendering=\"crispEdges\""
        text += end + "\n"
      case .line(let from, let to, let width, let ink):
        text +=
          "<path d=\"\(path(from, to))\" stroke-width=\"\(number(width))\" "
          + "\(attributes("stroke", ink))/>\n"
      case .hatch(let boxes, let spacing):
        text += hatch(boxes, spacing, identifier: "hatch\(index)")
      case .image(let pixels, let box, let isSmooth, let holes):
        let data = base64(try PNGFile.bytes(pixels))
        text += clip(box, holes, identifier: "clip\(index)")
        text +=
          "<image \(attributes(box)) preserveAspectRatio=\"none\" "
          + (holes.isEmpty ? "" : "clip-path=\"url(#clip\(index))\" ")
          + (isSmooth ? "" : "style=\"image-rendering:pixelated\" ")
          + "xlink:href=\"data:image/png;base64,\(data)\"/>\n"
      case .text(let label): text += element(label, ruler)
      }
    }
    return Array((text + "</svg>\n").utf8)
  }

  /// Returns a text element. Fonts differ between systems; `textLength` keeps the text as wide as
  /// it was measured.
  private static func element(_ label: Label, _ ruler: borrowing TextMeasurer) -> String {
    guard !label.text.isEmpty else { return "" }
    let width = number(ruler.width(label.text, label.font))
    return "<text x=\"\(number(label.x))\" y=\"\(number(label.y))\" "
      + "font-family=\"sans-serif\" font-size=\"\(number(label.font.size))\" "
      + (label.font.isBold ? "font-weight=\"bold\" " : "")
      + (label.anchor == .start ? "" : "text-anchor=\"\(label.anchor.rawValue)\" ")
      + "textLength=\"\(width)\" lengthAdjust=\"spacingAndGlyphs\" \(attributes("fill", label.ink))>"
      + "\(escaped(label.text))</text>\n"
  }

  private static func hatch(_ boxes: [Box], _ spacing: Double, identifier: String) -> String {
    guard let hatching = Hatching(boxes, spacing: spacing) else { return "" }
    let clips = boxes.map { "<rect \(attributes($0))/>" }.joined()
    func lines(_ lines: [Hatching.Line], _ ink: Ink) -> String {
      let drawn = lines.map { path($0.from, $0.to) }.joined()
      return "<path d=\"\(drawn)\" \(attributes("stroke", ink))/>"
    }
    return "<clipPath id=\"\(identifier)\" shape-rendering=\"crispEdges\">\(clips)</clipPath>\n"
      + "<g clip-path=\"url(#\(identifier))\" pointer-events=\"none\" "
      + "stroke-width=\"\(number(hatching.lineWidth))\">"
      + lines(hatching.darkLines, Hatching.dark) + lines(hatching.lightLines, Hatching.light)
      + "</g>\n"
  }

  /// Returns a clip path that leaves out the holes of an image; empty without holes.
  private static func clip(_ box: Box, _ holes: [Box], identifier: String) -> String {
    guard !holes.isEmpty else { return "" }
    let path = ([box] + holes).map { box in
      "M\(number(box.x)) \(number(box.y))h\(number(box.width))v\(number(box.height))"
        + "h\(number(-box.width))z"
    }.joined()
    return "<clipPath id=\"\(identifier)\" shape-rendering=\"crispEdges\">"
      + "<path clip-rule=\"evenodd\" d=\"\(path)\"/></clipPath>\n"
  }

  private static func path(_ from: Position, _ to: Position) -> String {
    "M\(number(from.x)) \(number(from.y))L\(number(to.x)) \(number(to.y))"
  }

  private static func attributes(_ box: Box) -> String {
    "x=\"\(number(box.x))\" y=\"\(number(box.y))\" "
      + "width=\"\(number(box.width))\" height=\"\(number(box.height))\""
  }

  private static func attributes(_ name: String, _ ink: Ink) -> String {
    func digits(_ channel: UInt8) -> String {
      (channel < 16 ? "0" : "") + String(channel, radix: 16)
    }
    let colour = digits(ink.colour.red) + digits(ink.colour.green) + digits(ink.colour.blue)
    return "\(name)=\"#\(colour)\""
      + (ink.opacity < 1 ? " \(name)-opacity=\"\(number(ink.opacity))\"" : "")
  }

  /// Formats a number with at most three decimals. Smaller differences are invisible.
  private static func number(_ value: Double) -> String {
    let rounded = (value * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? String(Int64(rounded)) : "\(rounded)"
  }
}
