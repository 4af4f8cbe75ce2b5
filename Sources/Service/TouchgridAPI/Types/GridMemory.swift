extension API {
  /// The memory that the grids of open sessions take.
  public struct GridMemory: Codable, Hashable, Sendable {
    /// The size of the counters of all open sessions, in bytes.
    public var bytes: Int64
    /// The maximum size of these counters, in bytes.
    public var limitBytes: Int64
    /// Whether touches of the running session were counted on the screen `other`, or without grids,
    /// because there was no memory for the grids of their screens.
    public var isFull: Bool

    /// Creates a value with these members.
    package init(bytes: Int64 = 0, limitBytes: Int64, isFull: Bool = false) {
      self.bytes = bytes
      self.limitBytes = limitBytes
      self.isFull = isFull
    }
  }
}
