public import TouchFeedback
public import TouchModel

/// The video that touches are drawn over, and how.
public struct Film: Hashable, Sendable {
  /// The largest width or height of a video, in pixels.
  public static let pixelLimit = 16_384
  /// By how many pixels the display's shape may differ from its area's: encoders round sizes.
  public static let tolerance = 2.0

  /// In pixels.
  public var width: Int
  public var height: Int
  /// The part of it, in pixels, that shows the display.
  public var area: Rectangle
  /// The video's time at the track's start, in microseconds.
  public var offset: Int64
  public var display: String
  public var style: BubbleStyle

  public init(
    width: Int, height: Int, area: Rectangle, offset: Int64, display: String, style: BubbleStyle
  ) {
    self.width = width
    self.height = height
    self.area = area
    self.offset = offset
    self.display = display
    self.style = style
  }

  /// Whether a display of this size, in points, can be what the area shows.
  public func fits(width: Double, height: Double) -> Bool {
    guard width > 0, height > 0 else { return false }
    return abs(area.width * height / width - area.height) <= Self.tolerance
      || abs(area.height * width / height - area.width) <= Self.tolerance
  }

  /// Whether all of the video shows the display.
  var isFull: Bool {
    area.x <= 0 && area.y <= 0 && area.x + area.width >= Double(width)
      && area.y + area.height >= Double(height)
  }
}

/// Why a track cannot be drawn over a video.
public enum FilmProblem: Error, Hashable, Sendable {
  case noSuchDisplay
  /// From then on (microseconds since the track's start) the display has another shape than the area; its size in
  /// points.
  case otherShape(time: Int64, width: Double, height: Double)
  /// The file would be larger than a gigabyte.
  case tooLarge
}
