public import TouchModel

extension API {
  /// What happened to a touch in a frame: it began, moved, stayed where it was, ended, or was
  /// cancelled.
  public typealias Phase = TouchModel.Phase
  /// Why a touch was cancelled.
  public typealias Cancellation = TouchModel.Cancellation

  /// A point on a display, in points from the top left of the picture.
  public struct Point: Codable, Hashable, Sendable {
    /// The distance from the left edge, in points: 0 or more, below the width of the display.
    public var x: Double
    /// The distance from the top edge, in points: 0 or more, below the height of the display.
    public var y: Double

    /// Creates a value with these members.
    package init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }

    /// Creates the value from the model's point.
    package init(_ point: TouchModel.Point) {
      self.init(x: point.x, y: point.y)
    }
  }

  /// A block of a grid.
  public struct Block: Codable, Hashable, Sendable {
    /// The column, counted from 0 at the left.
    public var column: Int
    /// The row, counted from 0 at the top.
    public var row: Int

    /// Creates a value with these members.
    package init(column: Int, row: Int) {
      self.column = column
      self.row = row
    }

    /// Creates the value from the model's block.
    package init(_ block: TouchModel.Block) {
      self.init(column: block.column, row: block.row)
    }
  }

  /// One touch in one frame.
  public struct Touch: Codable, Hashable, Sendable {
    /// The identity of the touch: below 2^53, the same from touch-down to touch-up as long as any
    /// client watches, and never reused.
    public var id: Int64
    /// What happened to the touch in this frame.
    public var phase: Phase
    /// Why the touch was cancelled; nil unless `phase` is `cancelled`.
    public var cancellation: Cancellation?
    /// The position of the touch.
    public var point: Point
    /// The position in the frame before; nil if the touch began in this frame.
    public var previous: Point?
    /// The block that holds `point`.
    public var block: Block
    /// The key of the touch's device.
    public var device: String
    /// The name of the display that the device lies on.
    public var display: String
    /// The name of the screen that was shown when the touch began. The whole touch belongs to it.
    public var screen: String
    /// Whether the touch was down before the daemon opened the device.
    public var preexisting: Bool

    /// Creates a value with these members.
    package init(
      id: Int64, phase: Phase, cancellation: Cancellation? = nil, point: Point,
      previous: Point? = nil, block: Block, device: String, display: String, screen: String,
      preexisting: Bool = false
    ) {
      self.id = id
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
}

extension TouchModel.Phase: Codable {}
extension TouchModel.Cancellation: Codable {}
