extension API {
  public struct Store: Codable, Hashable, Sendable {
    public var path: String
    public var bytes: Int64
    public var error: String?

    public init(path: String, bytes: Int64, error: String? = nil) {
      self.path = path
      self.bytes = bytes
      self.error = error
    }
  }
}
