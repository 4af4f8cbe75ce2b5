public import TouchModel

extension API {
  public typealias Source = TouchModel.Source

  public struct Range: Codable, Hashable, Sendable {
    public var minimum: Int64
    public var maximum: Int64

    public init(minimum: Int64, maximum: Int64) {
      self.minimum = minimum
      self.maximum = maximum
    }

    public init(_ range: Placement.Range) {
      self.init(minimum: Int64(range.minimum), maximum: Int64(range.maximum))
    }
  }

  public enum ContactProtocol: String, CaseIterable, Codable, Sendable {
    case slots, anonymous, single

    public init(_ kind: TouchModel.ContactProtocol.Kind) {
      switch kind {
      case .slots: self = .slots
      case .anonymous: self = .anonymous
      case .single: self = .single
      }
    }
  }

  public struct DeviceTally: Codable, Hashable, Sendable {
    public var touches: Int64
    public var drops: Int64
    public var suspectedGhosts: Int64
    public var echoes: Int64
    public var unrecorded: Int64

    public init(
      touches: Int64 = 0, drops: Int64 = 0, suspectedGhosts: Int64 = 0, echoes: Int64 = 0,
      unrecorded: Int64 = 0
    ) {
      self.touches = touches
      self.drops = drops
      self.suspectedGhosts = suspectedGhosts
      self.echoes = echoes
      self.unrecorded = unrecorded
    }
  }

  public struct Device: Codable, Hashable, Sendable {
    public var key: String
    public var node: String?
    public var name: String
    public var contactProtocol: ContactProtocol
    public var slots: Int
    public var x: Range
    public var y: Range
    public var rangeSource: Source
    /// Six numbers.
    public var matrix: [Double]
    public var matrixSource: Source
    public var display: String
    public var displaySource: Source
    public var isVirtual: Bool
    public var touchesDown: Int
    public var unheardContacts: Int?
    public var silentForMs: Int64?
    public var tally: DeviceTally

    /// - Parameter placement: gives the key, the ranges, the matrix, the display and their sources.
    public init(
      placement: Placement, node: String?, name: String, contactProtocol: ContactProtocol,
      slots: Int, isVirtual: Bool, touchesDown: Int, unheardContacts: Int?, silentForMs: Int64?,
      tally: DeviceTally
    ) {
      key = placement.device
      self.node = node
      self.name = name
      self.contactProtocol = contactProtocol
      self.slots = slots
      x = Range(placement.x)
      y = Range(placement.y)
      rangeSource = placement.rangeSource
      matrix = placement.matrix.values
      matrixSource = placement.matrixSource
      display = placement.display
      displaySource = placement.displaySource
      self.isVirtual = isVirtual
      self.touchesDown = touchesDown
      self.unheardContacts = unheardContacts
      self.silentForMs = silentForMs
      self.tally = tally
    }
  }

  public struct RefusedDevice: Codable, Hashable, Sendable {
    public var node: String
    public var name: String
    public var reason: String

    public init(node: String, name: String, reason: String) {
      self.node = node
      self.name = name
      self.reason = reason
    }
  }
}

extension TouchModel.Source: Codable {}
