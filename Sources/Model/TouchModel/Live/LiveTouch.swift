/// One touch in one frame, as watching clients see it.
public struct LiveTouch: Hashable, Sendable {
  /// The identity in the live stream, given when the touch is first shown. The recorder's
  /// identities would reveal how many touches are not shown.
  public var touch: TouchID
  public var phase: Phase
  /// Set if and only if `phase` is `.cancelled`. It is also `.lost` if the touch was an echo
  /// (`EchoFilter`) that was shown before its original was found.
  public var cancellation: Cancellation?
  /// The position on the display, in points.
  public var point: Point
  /// The position in the previous frame; nil if `phase` is `.began`.
  public var previous: Point?
  public var block: Block
  /// The key of the device.
  public var device: String
  public var display: String
  /// The screen that was shown when the touch began.
  public var screen: String
  /// Whether the touch was already down when the device was opened.
  public var preexisting = false
}

/// One frame of the live stream: touches at one moment, at least one of them not stationary.
public struct LiveFrame: Hashable, Sendable {
  /// The time on `CLOCK_MONOTONIC`.
  public var time: Timestamp
  public var touches: [LiveTouch]
}
