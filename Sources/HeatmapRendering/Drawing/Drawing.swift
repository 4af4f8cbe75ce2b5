public import GridFormats

/// A picture as a list of shapes, back to front: what it shows is decided before anybody draws it. The unit
/// is a pixel of a PNG, a user unit of an SVG and 3/4 of a point of a PDF; the origin is top left, y down.
public struct Drawing: Hashable, Sendable {
  /// The largest width and height, what cairo's pictures hold, and the most pixels in all: 256 MiB of memory.
  public static let sideLimit = 32_767
  public static let pixelLimit = 1 << 26

  public let width: Int
  public let height: Int
  public var shapes: [Shape] = []
  /// In words, for those who cannot see it.
  public var title: String
  /// What the picture shows and how, carried inside the file.
  public var metadata: JSONValue

  /// - Throws: where it would be larger than `sideLimit` or `pixelLimit`, or empty.
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

/// What a drawing is made of.
public enum Shape: Hashable, Sendable {
  /// - title: what a reader of an SVG sees who points at it.
  case rectangle(Box, Ink, title: String? = nil)
  case line(Position, Position, width: Double, Ink)
  /// Lines from bottom left to top right, `spacing` apart, dark and light in turn, so that they are seen
  /// on every ground. Lines of neighbours meet.
  case hatch([Box], spacing: Double)
  /// - isSmooth: pixels that are drawn larger than one run into one another.
  /// - holes: where it is not drawn; they do not overlap.
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

/// A colour, and how much of it covers what lies below: 0...1.
public struct Ink: Hashable, Sendable {
  public var colour: Colour
  public var opacity: Double

  public init(_ colour: Colour, opacity: Double = 1) {
    self.colour = colour
    self.opacity = min(1, max(0, opacity))
  }

  public static let black = Ink(Colour(red: 0, green: 0, blue: 0))
  public static let white = Ink(Colour(red: 255, green: 255, blue: 255))
  /// Of words and lines that matter less.
  public static let grey = Ink(Colour(red: 90, green: 90, blue: 96))

  public func opacity(_ opacity: Double) -> Ink { Ink(colour, opacity: opacity) }
}

/// One line of text, beginning (or ending, or with its middle) at `x`, on the line `y`.
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

/// The system's sans-serif.
public struct Font: Hashable, Sendable {
  public var size: Double
  public var isBold: Bool
  public init(size: Double, isBold: Bool = false) {
    self.size = size
    self.isBold = isBold
  }
}

/// An image in memory: 32 bits a pixel, alpha in the highest 8, then red, green and blue, multiplied by
/// alpha (cairo's `ARGB32`).
public struct Pixels: Hashable, Sendable {
  public let width: Int
  public let height: Int
  /// Row-major.
  public var values: [UInt32]

  /// - Precondition: `width * height` values.
  public init(width: Int, height: Int, values: [UInt32]) {
    precondition(values.count == width * height)
    self.width = width
    self.height = height
    self.values = values
  }

  /// One pixel's value.
  public static func value(_ ink: Ink) -> UInt32 {
    func channel(_ value: UInt8) -> UInt32 { UInt32((Double(value) * ink.opacity).rounded()) }
    return UInt32((255 * ink.opacity).rounded()) << 24 | channel(ink.colour.red) << 16
      | channel(ink.colour.green) << 8 | channel(ink.colour.blue)
  }
}
