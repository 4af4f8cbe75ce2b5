public import TouchFeedback
public import TouchModel

/// Live touches with their times, as `touchgrid record` writes them (docs/tracks.md).
public struct Track: Hashable, Sendable {
  /// What was reported at one moment.
  public struct Frame: Hashable, Sendable {
    public var time: Timestamp
    public var touches: [TouchSample]

    public init(time: Timestamp, touches: [TouchSample]) {
      self.time = time
      self.touches = touches
    }
  }

  /// The version of the format.
  public static let version = 1

  /// In their order.
  public var frames: [Frame]

  public init(frames: [Frame]) { self.frames = frames }
}
