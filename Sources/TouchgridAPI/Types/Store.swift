extension API {
  public struct Store: Codable, Hashable, Sendable {
    public var path: String
    public var bytes: Int64
    public var error: String?
    public var waitingBytes: Int64
    public var busyForMs: Int64?
    public var givenUp: Int64
    public var movedAside: String?

    public init(
      path: String, bytes: Int64, error: String? = nil, waitingBytes: Int64 = 0,
      busyForMs: Int64? = nil, givenUp: Int64 = 0, movedAside: String? = nil
    ) {
      self.path = path
      self.bytes = bytes
      self.error = error
      self.waitingBytes = waitingBytes
      self.busyForMs = busyForMs
      self.givenUp = givenUp
      self.movedAside = movedAside
    }
  }
}
