extension API {
  public struct GridMemory: Codable, Hashable, Sendable {
    public var bytes: Int64
    public var limitBytes: Int64
    public var isFull: Bool

    public init(bytes: Int64 = 0, limitBytes: Int64, isFull: Bool = false) {
      self.bytes = bytes
      self.limitBytes = limitBytes
      self.isFull = isFull
    }
  }
}
