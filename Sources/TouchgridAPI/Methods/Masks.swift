extension API {
  public struct GetMasks: Method {
    public static let name = "\(interface).GetMasks"
    public static let names: [String] = []

    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
      public var configured: [Mask]
      public var added: [Mask]
      /// Whole screens that are masked as well while it is not certain where touchscreens lie.
      public var widened: [Mask]

      public init(configured: [Mask], added: [Mask], widened: [Mask] = []) {
        self.configured = configured
        self.added = added
        self.widened = widened
      }
    }
  }

  public struct AddMask: Method {
    public static let name = "\(interface).AddMask"
    public static let names = ["mask"]

    public var mask: Mask

    public init(mask: Mask) { self.mask = mask }

    public typealias Reply = NoReply
  }

  public struct RemoveMask: Method {
    public static let name = "\(interface).RemoveMask"
    public static let names = ["mask"]

    public var mask: Mask

    public init(mask: Mask) { self.mask = mask }

    public typealias Reply = NoReply
  }
}
