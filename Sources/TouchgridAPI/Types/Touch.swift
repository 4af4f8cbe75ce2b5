public import TouchModel

extension API {
  public typealias Phase = TouchModel.Phase
  public typealias Cancellation = TouchModel.Cancellation

  public struct Point: Codable, Hashable, Sendable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }

    public init(_ point: TouchModel.Point) {
      self.init(x: point.x, y: point.y)
    }
  }

  public struct Block: Codable, Hashable, Sendable {
    public var column: Int
    public var row: Int

    public init(column: Int, row: Int) {
      self.column = column
      self.row = row
    }

    public init(_ block: TouchModel.Block) {
      self.init(column: block.column, row: block.row)
    }
  }

  public struct Touch: Codable, Hashable, Sendable {
    public var id: Int64
    public var phase: Phase
    public var cancellation: Cancellation?
    public var point: Point
    public var previous: Point?
    public var block: Block
    public var device: String
    public var display: String
    public var screen: String
    public var preexisting: Bool

    public init(
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
