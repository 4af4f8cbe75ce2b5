public import TouchFeedback
public import TouchModel

/// Live touches with their times, as `touchgrid record` writes them (docs/tracks.md).
public struct Track: Hashable, Sendable {
  public struct Display: Hashable, Sendable {
    public var name: String
    /// In points.
    public var width: Double
    public var height: Double
    /// The one now showing.
    public var screen: String

    public init(name: String, width: Double, height: Double, screen: String) {
      self.name = name
      self.width = width
      self.height = height
      self.screen = screen
    }
  }

  /// What was reported at one moment.
  public struct Frame: Hashable, Sendable {
    /// Since the track's start.
    public var time: Timestamp
    public var touches: [TouchSample]
    /// All of them, where one has changed.
    public var displays: [Display]?
    /// All of them, where one came or went.
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

  /// The version of the format.
  public static let version = 1

  /// Those of the start.
  public var displays: [Display]
  public var masks: [Mask]
  /// As they were told: while there are masks, touches come late, and what changes meanwhile is told before them.
  public var frames: [Frame]

  public init(displays: [Display] = [], masks: [Mask] = [], frames: [Frame]) {
    self.displays = displays
    self.masks = masks
    self.frames = frames
  }

  /// In the order of their times; of the same time as they were told.
  var framesByTime: [Frame] {
    let isSorted = zip(frames, frames.dropFirst()).allSatisfy { $0.time <= $1.time }
    if isSorted { return frames }
    let order = frames.indices.sorted { (frames[$0].time, $0) < (frames[$1].time, $1) }
    return order.map { frames[$0] }
  }

  /// The displays that it knows of at any time, each once, in the order of their names.
  public var displayNames: [String] {
    var names = Set(displays.map(\.name))
    for frame in frames { names.formUnion((frame.displays ?? []).map(\.name)) }
    return names.sorted()
  }
}
