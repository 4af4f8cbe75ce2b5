import TouchModel

/// The part of the video in which nothing may be drawn: the masks of the current screen, and
/// everything outside of the area that shows the display.
struct HiddenArea: Equatable {
  /// Whether nothing at all may be drawn.
  var isWhole = false
  /// An `\iclip` tag of ASS, which hides this part; empty if nothing is hidden, or everything.
  var tag = ""

  /// - Parameter scale: The scale of each axis, in pixels per point.
  init(_ film: VideoLayout, _ display: Track.Display, _ masks: [Mask], scale: Point) {
    var rectangles: [Rectangle?] = []
    for mask in masks where mask.screen == display.screen {
      guard mask.display == nil || mask.display == display.name else { continue }
      guard let rectangle = mask.rectangle else {
        isWhole = true
        return
      }
      rectangles.append(
        Rectangle(
          x: film.area.x + rectangle.x * scale.x, y: film.area.y + rectangle.y * scale.y,
          width: rectangle.width * scale.x, height: rectangle.height * scale.y))
    }
    if !film.isFull {
      let (width, height) = (Double(film.width), Double(film.height))
      let (right, bottom) = (film.area.x + film.area.width, film.area.y + film.area.height)
      rectangles += [
        Rectangle(x: 0, y: 0, width: width, height: film.area.y),
        Rectangle(x: 0, y: bottom, width: width, height: height - bottom),
        Rectangle(x: 0, y: 0, width: film.area.x, height: height),
        Rectangle(x: right, y: 0, width: width - right, height: height),
      ]
    }
    var outline = Outline()
    for case let rectangle? in rectangles {
      let (right, bottom) = (rectangle.x + rectangle.width, rectangle.y + rectangle.height)
      outline.addPolygon([
        Point(x: rectangle.x, y: rectangle.y), Point(x: right, y: rectangle.y),
        Point(x: right, y: bottom), Point(x: rectangle.x, y: bottom),
      ])
    }
    if !outline.text.isEmpty { tag = "\\iclip(4,\(outline.text))" }
  }
}
