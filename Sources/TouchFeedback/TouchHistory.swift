public import TouchModel

/// One touch at one moment, as somebody who watches is told.
public struct TouchSample: Hashable, Sendable {
  /// The same from landing to lift.
  public var touch: Int64
  public var phase: Phase
  /// On the display.
  public var point: Point
  public var display: String

  public init(touch: Int64, phase: Phase, point: Point, display: String) {
    self.touch = touch
    self.phase = phase
    self.point = point
    self.display = display
  }
}

/// The touches that are down or were a moment ago: all that the drawing depends on, besides time and style.
public struct TouchHistory: Hashable, Sendable {
  /// How long a bubble is there at the least, so that a short tap is seen.
  public static let shortest: Duration = .milliseconds(150)
  /// How long one that was lifted takes to fade.
  public static let fade: Duration = .milliseconds(250)

  private var samples: [Int64: TouchSample] = [:]

  public init() {}

  /// Takes one frame. A touch that is cancelled is gone at once; one that began unseen begins here.
  /// - Parameter time: on the clock that `shapes` is asked by; never before the last.
  public mutating func take(_ frame: [TouchSample], at time: Timestamp) {
    for sample in frame {
      switch sample.phase {
      case .began, .moved, .stationary: samples[sample.touch] = sample
      case .ended, .cancelled: samples[sample.touch] = nil
      }
    }
  }

  /// Nothing is known any more: nothing is drawn from now on.
  public mutating func clear() { samples = [:] }

  /// What there is to draw on a display.
  public func shapes(
    on display: String, at time: Timestamp, style: BubbleStyle, surface: Surface = .translucent
  ) -> [Shape] {
    samples.values.filter { $0.display == display }.sorted { $0.touch < $1.touch }.map {
      .disc(
        centre: $0.point, radius: style.size / 2,
        fill: Colour(red: 1, green: 1, blue: 1, opacity: 0.5),
        ring: Colour(red: 0.2, green: 0.2, blue: 0.2), ringWidth: 2)
    }
  }

  /// When `shapes` differ next if no frame comes: `time` itself while something moves or fades; nil: never.
  public func nextChange(after time: Timestamp, style: BubbleStyle) -> Timestamp? { nil }

  /// Forgets what is no longer drawn.
  public mutating func forget(at time: Timestamp) {}
}
