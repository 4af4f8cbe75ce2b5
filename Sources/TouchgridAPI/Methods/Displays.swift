extension API {
  public struct GetDisplays: Method {
    public static let name = "\(interface).GetDisplays"
    public static let names: [String] = []

    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
      public var displays: [Display]

      public init(displays: [Display]) { self.displays = displays }
    }
  }

  public struct SetDisplay: Method {
    public static let name = "\(interface).SetDisplay"
    public static let names = ["name", "pixelWidth", "pixelHeight", "scale", "rotation"]

    /// Of a display.
    public var name: String
    public var pixelWidth: Int?
    public var pixelHeight: Int?
    public var scale: Double?
    public var rotation: Int?

    public init(
      name: String, pixelWidth: Int? = nil, pixelHeight: Int? = nil, scale: Double? = nil,
      rotation: Int? = nil
    ) {
      self.name = name
      self.pixelWidth = pixelWidth
      self.pixelHeight = pixelHeight
      self.scale = scale
      self.rotation = rotation
    }

    public struct Reply: Codable, Hashable, Sendable {
      public var display: Display

      public init(display: Display) { self.display = display }
    }
  }

  /// Reports the mode in which a compositor drives a display.
  ///
  /// The mode counts more than the one that the kernel prefers, and less than a size from the configuration
  /// or from ``SetDisplay``. It holds until another mode is reported or the daemon stops.
  public struct SetDisplayMode: Method {
    public static let name = "\(interface).SetDisplayMode"
    public static let names = ["name", "pixelWidth", "pixelHeight"]

    /// The connector, such as `HDMI-A-1`. A touchscreen need not lie on it yet.
    public var name: String
    /// In pixels before rotation, from 1 to 16,384.
    public var pixelWidth: Int
    /// In pixels before rotation, from 1 to 16,384.
    public var pixelHeight: Int

    public init(name: String, pixelWidth: Int, pixelHeight: Int) {
      self.name = name
      self.pixelWidth = pixelWidth
      self.pixelHeight = pixelHeight
    }

    public typealias Reply = NoReply
  }

  public struct GetScreen: Method {
    public static let name = "\(interface).GetScreen"
    public static let names = ["display"]

    public var display: String?

    public init(display: String? = nil) { self.display = display }

    public struct Reply: Codable, Hashable, Sendable {
      public var screen: String

      public init(screen: String) { self.screen = screen }
    }
  }

  public struct SetScreen: Method {
    public static let name = "\(interface).SetScreen"
    public static let names = ["name", "display", "changedAtUs"]

    /// Of the screen.
    public var name: String
    public var display: String?
    public var changedAtUs: Int64?

    public init(name: String, display: String? = nil, changedAtUs: Int64? = nil) {
      self.name = name
      self.display = display
      self.changedAtUs = changedAtUs
    }

    public typealias Reply = NoReply
  }

  public struct Follow: Method {
    public static let name = "\(interface).Follow"
    public static let names: [String] = []

    public init() {}

    public typealias Reply = NoReply
  }
}
