import CGTK
import Glibc
import Testing
import TouchFeedback
import TouchModel

@testable import TouchgridOverlay

/// Compares the bounds of shapes with the pixels that they colour.
@Suite struct PixelTests {
  private static let styles: [BubbleStyle] = [false, true].flatMap { isPlain -> [BubbleStyle] in
    var style = BubbleStyle()
    style.size = isPlain ? 23.7 : 44
    style.isRing = isPlain
    style.coloursByFinger = !isPlain
    style.hasTrail = true
    style.countsTaps = true
    return [style]
  }

  /// Returns 39 pictures of two fingers at positions between pixels. One finger taps 13 times, and
  /// the other moves.
  private func pictures(_ style: BubbleStyle, _ surface: Surface) -> [Picture] {
    var history = TouchHistory()
    var pictures: [Picture] = []
    func sample(_ touch: Int64, _ phase: Phase, _ x: Double, _ y: Double) -> TouchSample {
      TouchSample(touch: touch, phase: phase, point: Point(x: x, y: y), display: "A")
    }
    for step in 0..<39 {
      let time = Timestamp(microseconds: Int64(step) * 40_000)
      let shift = Double(step)
      var frame = [
        sample(99, step == 0 ? .began : .moved, 20 + 2.37 * shift, 30.5 + 1.13 * shift)
      ]
      switch step % 3 {
      case 0: frame.append(sample(Int64(step), .began, 70.3 + 0.1 * shift, 60.8))
      case 1: frame.append(sample(Int64(step - 1), .ended, 70.3 + 0.1 * shift, 60.8))
      default: break
      }
      history.apply(frame, at: time)
      pictures.append(
        Picture(shapes: history.shapes(on: "A", at: time, style: style, surface: surface)))
    }
    return pictures
  }

  @Test(arguments: [1, 1.5, 2], [Surface.translucent, .opaque])
  func `A shape colours no pixels outside its area`(scale: Double, surface: Surface) {
    var (labels, count) = (0, 0)
    let all = Self.styles.flatMap { pictures($0, surface) }
    for picture in stride(from: 1, to: all.count, by: 4).map({ all[$0] }) {
      for shape in picture.shapes {
        let pixels = Pixels(scale: scale, surface)
        pixels.draw(Picture(shapes: [shape]), within: [Pixels.area])
        // On an opaque surface, the thinnest lines may fall between pixels.
        if surface == .opaque, pixels.isClear { continue }
        #expect(!pixels.isClear)
        let area = shape.extent
        count += 1
        if case .label = shape {
          labels += 1
        } else if count % 8 == 0 {
          // The area must not be much larger than necessary, because redrawing it costs time.
          let inside = Area(
            x: area.x + 4, y: area.y + 4, width: area.width - 8, height: area.height - 8)
          pixels.draw(.nothing, within: [inside])
          if pixels.isClear { Issue.record("\(area) is too large for \(shape)") }
        }
        pixels.draw(.nothing, within: [area])
        if !pixels.isClear { Issue.record("at scale \(scale), more than \(area) of \(shape)") }
      }
    }
    #expect(labels > 5 && count > 60)
  }

  @Test(arguments: [1, 2.0], [Surface.translucent, .opaque])
  func `Redrawing the damage equals drawing the whole picture`(scale: Double, surface: Surface) {
    for style in Self.styles {
      let again = Pixels(scale: scale, surface)
      var old = Picture.nothing
      var drawn = 0
      for new in pictures(style, surface) + [.nothing] {
        again.draw(new, within: new.damage(after: old))
        let anew = Pixels(scale: scale, surface)
        anew.draw(new, within: [Pixels.area])
        // With a different clip, cairo rounds the values of edges differently.
        #expect(again.greatestDifference(from: anew) <= 16)
        drawn += again.isClear ? 0 : 1
        old = new
      }
      #expect(drawn == 39)
      #expect(again.isClear)
    }
  }
}

/// The pixels that the painter draws.
@safe private final class Pixels {
  static let area = Area(x: 0, y: 0, width: 144, height: 108)
  private let painter: Painter
  private let scale: Double
  private let width: Int
  private let height: Int
  private let surface: OpaquePointer?

  /// - Parameter scale: The number of pixels per point.
  init(scale: Double, _ kind: Surface) {
    painter = Painter(surface: kind)
    self.scale = scale
    width = Int(Double(Self.area.width) * scale)
    height = Int(Double(Self.area.height) * scale)
    unsafe surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
    unsafe cairo_surface_set_device_scale(surface, scale, scale)
  }

  deinit { unsafe cairo_surface_destroy(surface) }

  func draw(_ picture: Picture, within areas: [Area]) {
    guard let context = unsafe cairo_create(surface) else { return }
    unsafe painter.draw(picture, within: Region(areas), on: context)
    unsafe cairo_destroy(context)
  }

  /// All rows of pixels, without gaps.
  private var bytes: UnsafePointer<UInt8>? {
    unsafe cairo_surface_flush(surface)
    return unsafe UnsafePointer(cairo_image_surface_get_data(surface))
  }

  private var size: Int { width * height * 4 }

  func isEqual(to other: Pixels) -> Bool {
    guard let ours = unsafe bytes, let theirs = unsafe other.bytes else { return false }
    return unsafe memcmp(ours, theirs, size) == 0
  }

  var isClear: Bool { isEqual(to: Pixels(scale: scale, painter.surface)) }

  /// Returns the greatest difference of any byte, from 0 to 255.
  func greatestDifference(from other: Pixels) -> Int {
    guard let ours = unsafe bytes, let theirs = unsafe other.bytes else { return 255 }
    if isEqual(to: other) { return 0 }
    var (greatest, index) = (0, 0)
    while index < size {
      unsafe greatest = max(greatest, abs(Int(ours[index]) - Int(theirs[index])))
      index += 1
    }
    return greatest
  }
}
