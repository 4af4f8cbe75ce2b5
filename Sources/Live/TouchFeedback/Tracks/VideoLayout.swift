public import TouchModel

/// The video over which touches are drawn, and the options for that.
public struct VideoLayout: Hashable, Sendable {
  /// The largest width or height of a video, in pixels.
  public static let pixelLimit = 16_384
  /// The allowed deviation of the width or the height of the area from the aspect ratio of the
  /// display, in pixels. Encoders round sizes.
  public static let tolerance = 2.0

  /// The size of the video, in pixels.
  public var width: Int
  public var height: Int
  /// The part of the video that shows the display, in pixels.
  public var area: Rectangle
  /// The time in the video, in µs, at which the track begins.
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

  /// Returns whether the area has the aspect ratio of a display of this size, in points.
  public func fits(width: Double, height: Double) -> Bool {
    guard width > 0, height > 0 else { return false }
    return abs(area.width * height / width - area.height) <= Self.tolerance
      || abs(area.height * width / height - area.width) <= Self.tolerance
  }

  /// Whether the whole video shows the display.
  var isFull: Bool {
    area.x <= 0 && area.y <= 0 && area.x + area.width >= Double(width)
      && area.y + area.height >= Double(height)
  }
}

/// The reasons why a track cannot be drawn over a video.
public enum SubtitlesError: Error, Hashable, Sendable {
  case noSuchDisplay
  /// From `time` on, in µs since the start of the track, the aspect ratio of the display differs
  /// from that of its area. `width` and `height` are the size of the display, in points.
  case otherShape(time: Int64, width: Double, height: Double)
  /// The file would be larger than 1 GiB.
  case tooLarge
}
