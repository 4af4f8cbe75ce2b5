public import TouchModel

/// Live touches with their times, as `touchgrid track` writes them (docs/tracks.md).
public struct Track: Hashable, Sendable {
  public struct Display: Hashable, Sendable {
    public var name: String
    /// The size of the display, in points.
    public var width: Double
    public var height: Double
    /// The screen that the display shows.
    public var screen: String

    public init(name: String, width: Double, height: Double, screen: String) {
      self.name = name
      self.width = width
      self.height = height
      self.screen = screen
    }
  }

  /// The changes that were reported at one moment.
  public struct Frame: Hashable, Sendable {
    /// The time since the start of the track.
    public var time: Timestamp
    public var touches: [TouchSample]
    /// All displays if one has changed, otherwise nil.
    public var displays: [Display]?
    /// All masks if one was added or removed, otherwise nil.
    public var masks: [Mask]?

    public init(
      time: Timestamp, touches: [TouchSample], displays: [Display]? = nil, masks: [Mask]? = nil
    ) {
      self.time = time
      self.touches = touches
      self.displays = displays
      self.masks = masks
    }
  }

  /// The version of the file format.
  public static let version = 1

  /// The displays at the start.
  public var displays: [Display]
  public var masks: [Mask]
  /// The frames in the order in which the daemon sent them. While there are masks, the daemon
  /// delays touches, so later changes of displays and masks may come before them.
  public var frames: [Frame]

  public init(displays: [Display] = [], masks: [Mask] = [], frames: [Frame]) {
    self.displays = displays
    self.masks = masks
    self.frames = frames
  }

  /// The frames in chronological order. Frames with the same time keep the order in which they were
  /// sent.
  var framesByTime: [Frame] {
    let isSorted = zip(frames, frames.dropFirst()).allSatisfy { $0.time <= $1.time }
    if isSorted { return frames }
    let order = frames.indices.sorted { (frames[$0].time, $0) < (frames[$1].time, $1) }
    return order.map { frames[$0] }
  }

  /// The names of all displays in the track, each once, sorted with capital letters before small
  /// ones (`HDMI-A-1` before `eDP-1`).
  public var displayNames: [String] {
    var names = Set(displays.map(\.name))
    for frame in frames { names.formUnion((frame.displays ?? []).map(\.name)) }
    return names.sorted()
  }
}
