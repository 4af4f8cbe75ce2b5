extension API {
  public struct GetStatus: Method {
    public static let name = "\(interface).GetStatus"
    public static let names: [String] = []

    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
      public var version: String
      public var uptimeMs: Int64
      public var mode: SessionMode
      public var session: Session?
      public var lastTouchAtMs: Int64?
      public var touchesDown: Int
      public var pauses: Int
      public var tally: DeviceTally
      public var devices: Int
      public var refusedDevices: Int
      public var clients: Int
      public var watchers: Int
      public var followers: Int
      /// Screens that are masked as a whole while it is not certain where touchscreens lie.
      public var widenedMasks: Int
      public var grids: GridMemory
      public var store: Store

      public init(
        version: String, uptimeMs: Int64, mode: SessionMode, session: Session?,
        lastTouchAtMs: Int64?, touchesDown: Int, pauses: Int, tally: DeviceTally, devices: Int,
        refusedDevices: Int, clients: Int, watchers: Int, followers: Int, widenedMasks: Int = 0,
        grids: GridMemory,
        store: Store
      ) {
        self.version = version
        self.uptimeMs = uptimeMs
        self.mode = mode
        self.session = session
        self.lastTouchAtMs = lastTouchAtMs
        self.touchesDown = touchesDown
        self.pauses = pauses
        self.tally = tally
        self.devices = devices
        self.refusedDevices = refusedDevices
        self.clients = clients
        self.watchers = watchers
        self.followers = followers
        self.widenedMasks = widenedMasks
        self.grids = grids
        self.store = store
      }
    }
  }

  public struct GetDevices: Method {
    public static let name = "\(interface).GetDevices"
    public static let names: [String] = []

    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
      public var devices: [Device]
      public var refused: [RefusedDevice]

      public init(devices: [Device], refused: [RefusedDevice]) {
        self.devices = devices
        self.refused = refused
      }
    }
  }
}
