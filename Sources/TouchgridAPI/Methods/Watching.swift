extension API {
  public struct WatchTouches: Method {
    public static let name = "\(interface).WatchTouches"
    public static let names: [String] = []

    public init() {}

    /// One frame.
    public struct Reply: Codable, Hashable, Sendable {
      public var atUs: Int64
      public var touches: [Touch]
      public var displays: [Display]?
      public var masks: [Mask]?

      public init(
        atUs: Int64, touches: [Touch], displays: [Display]? = nil, masks: [Mask]? = nil
      ) {
        self.atUs = atUs
        self.touches = touches
        self.displays = displays
        self.masks = masks
      }
    }
  }
}
