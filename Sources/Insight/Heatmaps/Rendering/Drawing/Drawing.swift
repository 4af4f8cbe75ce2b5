public import Text

/// A picture as a list of shapes, back to front. All file formats are written from the same
/// drawing. The unit is a pixel in a PNG, a user unit in an SVG and 3/4 of a point in a PDF. The
/// origin is at the top left, y points down.
public struct Drawing: Hashable, Sendable {
  /// The largest width and height: the limit of cairo's images.
  public static let sideLimit = 32_767
  /// The largest number of pixels, which take 256 MiB of memory.
  public static let pixelLimit = 1 << 26

  public let width: Int
  public let height: Int
  public var shapes: [Shape] = []
  /// A text description, for users who cannot see the picture.
  public var title: String
  /// Machine-readable metadata about the content and the options of the picture. The file contains
  /// it.
  public var metadata: JSONValue

  /// Creates an empty drawing.
  /// - Throws: an error if it is empty, or larger than `sideLimit` or `pixelLimit`.
  public init(width: Int, height: Int, title: String, metadata: JSONValue) throws(PictureError) {
    guard (1...Self.sideLimit).contains(width), (1...Self.sideLimit).contains(height),
      width * height <= Self.pixelLimit
    else {
      throw PictureError(
        "a picture of \(width) x \(height) pixels is too large; make it smaller with --scale")
    }
    self.width = width
    self.height = height
    self.title = title
    self.metadata = metadata
  }
}

/// An element of a drawing.
public enum Shape: Hashable, Sendable {
  /// A filled rectangle. `title` is the tooltip in an SVG.
  case rectangle(Box, Ink, title: String? = nil)
  case line(Position, Position, width: Double, Ink)
  /// Dark lines from bottom left to top right, `spacing` apart, with light lines between them, so
  /// that they are visible on any background. The lines of adjacent boxes join.
  case hatch([Box], spacing: Double)
  /// An image, scaled to the box.
  /// - isSmooth: whether to interpolate between the pixels.
  /// - holes: parts of the box where the image is not drawn; they must not overlap.
  case image(Pixels, Box, isSmooth: Bool, holes: [Box] = [])
  case text(Label)
}

public struct Position: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// A rectangle of a drawing.
public struct Box: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double

  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  public var right: Double { x + width }
  public var bottom: Double { y + height }
}

/// A colour and its opacity, 0...1.
public struct Ink: Hashable, Sendable {
  public var colour: Colour
  public var opacity: Double

  public init(_ colour: Colour, opacity: Double = 1) {
    self.colour = colour
    self.opacity = min(1, max(0, opacity))
  }

  public static let black = Ink(Colour(red: 0, green: 0, blue: 0))
  public static let white = Ink(Colour(red: 255, green: 255, blue: 255))
  /// The ink of secondary text and lines.
  public static let grey = Ink(Colour(red: 90, green: 90, blue: 96))

  public func opacity(_ opacity: Double) -> Ink { Ink(colour, opacity: opacity) }
}

/// One line of text. `x` is its start, end or middle, depending on the anchor; `y` is its baseline.
public struct Label: Hashable, Sendable {
  public enum Anchor: String, Hashable, Sendable { case start, middle, end }

  public var text: String
  public var x: Double
  public var y: Double
  public var font: Font
  public var anchor: Anchor
  public var ink: Ink

  public init(
    _ text: String, x: Double, y: Double, font: Font, anchor: Anchor = .start, ink: Ink = .black
  ) {
    self.text = text
    self.x = x
    self.y = y
    self.font = font
    self.anchor = anchor
    self.ink = ink
  }
}

/// A size and weight of the system's sans-serif font.
public struct Font: Hashable, Sendable {
  public var size: Double
  public var isBold: Bool
  public init(size: Double, isBold: Bool = false) {
    self.size = size
    self.isBold = isBold
  }
}

/// An image in memory with 32 bits per pixel: alpha in the highest 8 bits, then red, green and
/// blue, premultiplied by alpha (cairo's `ARGB32`).
public struct Pixels: Hashable, Sendable {
  public let width: Int
  public let height: Int
  /// The pixels, row-major.
  public var values: [UInt32]

  /// - Precondition: `values` has `width * height` elements.
  public init(width: Int, height: Int, values: [UInt32]) {
    precondition(values.count == width * height)
    self.width = width
    self.height = height
    self.values = values
  }

  /// Returns the value of a pixel with this ink.
  public static func value(_ ink: Ink) -> UInt32 {
    func channel(_ value: UInt8) -> UInt32 { UInt32((Double(value) * ink.opacity).rounded()) }
    return UInt32((255 * ink.opacity).rounded()) << 24 | channel(ink.colour.red) << 16
      | channel(ink.colour.green) << 8 | channel(ink.colour.blue)
  }
}
