/// One touch in one frame, as those see it who watch.
public struct LiveTouch: Hashable, Sendable {
  /// Given when it is first shown: from the recorder's identities one could tell how many touches are not.
  public var touch: TouchID
  public var phase: Phase
  /// Set exactly where `phase` is `.cancelled`. An echo that was shown before its original came to light is
  /// `.lost`.
  public var cancellation: Cancellation?
  /// On the display, in points.
  public var point: Point
  /// Where it was in the frame before; nil when it began.
  public var previous: Point?
  public var block: Block
  /// The device's key.
  public var device: String
  public var display: String
  /// The screen that was showing when it began.
  public var screen: String
  /// Already down when the device was opened.
  public var preexisting: Bool

  public init(
    touch: TouchID, phase: Phase, cancellation: Cancellation? = nil, point: Point,
    previous: Point? = nil, block: Block, device: String, display: String, screen: String,
    preexisting: Bool = false
  ) {
    self.touch = touch
    self.phase = phase
    self.cancellation = cancellation
    self.point = point
    self.previous = previous
    self.block = block
    self.device = device
    self.display = display
    self.screen = screen
    self.preexisting = preexisting
  }
}

/// What happened at one moment: at least one of the touches is not stationary.
public struct LiveFrame: Hashable, Sendable {
  /// On `CLOCK_MONOTONIC`.
  public var time: Timestamp
  public var touches: [LiveTouch]

  public init(time: Timestamp, touches: [LiveTouch]) {
    self.time = time
    self.touches = touches
  }
}
