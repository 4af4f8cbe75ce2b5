extension API {
  /// Returns the state of the daemon. Role: read.
  public struct GetStatus: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).GetStatus"
    /// The names of the parameters: there are none.
    package static let names: [String] = []

    /// Creates a call.
    public init() {}

    /// The reply to a call of this method.
    public struct Reply: Codable, Hashable, Sendable {
      /// The version of the daemon.
      public var version: String
      /// The time since the daemon started, in ms, including suspend.
      public var uptimeMs: Int64
      /// Whether touches or only clients begin sessions.
      public var mode: SessionMode
      /// The running session; nil if no session is running.
      public var session: Session?
      /// When the last touch began, ignoring masked touches, palms and suspected ghosts; nil if
      /// none has since the daemon started. While there are masks, it changes only when a touch has
      /// been committed.
      public var lastTouchAtMs: Int64?
      /// The number of touches that are down, excluding masked ones.
      public var touchesDown: Int
      /// The number of clients that pause recording; 0 while it is not paused.
      public var pauses: Int
      /// The sums over all devices since the daemon started.
      public var tally: DeviceTally
      /// The number of touchscreens that the daemon reads.
      public var devices: Int
      /// The number of touchscreens that it does not read.
      public var refusedDevices: Int
      /// The number of connections to the daemon's socket.
      public var clients: Int
      /// The number of running `WatchTouches` calls.
      public var watchers: Int
      /// The number of connections that called `Follow`.
      public var followers: Int
      /// The number of masks in `GetMasks.Reply.widened`.
      public var widenedMasks: Int
      /// Whether every touch is masked, because there is no configuration yet.
      public var masksEverything: Bool
      /// The keys of the configuration, such as "path in [socket]", whose values have changed since
      /// the daemon started and take effect only after a restart.
      public var restartNeededFor: [String]
      /// The group whose members have the role `app`; nil if no group has it.
      public var appGroup: String?
      /// The memory that the grids of open sessions take.
      public var grids: GridMemory
      /// The state of the store.
      public var store: Store

      /// Creates a reply with these members.
      package init(
        version: String, uptimeMs: Int64, mode: SessionMode, session: Session?,
        lastTouchAtMs: Int64?, touchesDown: Int, pauses: Int, tally: DeviceTally, devices: Int,
        refusedDevices: Int, clients: Int, watchers: Int, followers: Int, widenedMasks: Int = 0,
        masksEverything: Bool = false, restartNeededFor: [String] = [],
        appGroup: String? = nil, grids: GridMemory, store: Store
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
        self.masksEverything = masksEverything
        self.restartNeededFor = restartNeededFor
        self.appGroup = appGroup
        self.grids = grids
        self.store = store
      }
    }
  }

  /// Lists the touchscreens, including those that the daemon does not read. Role: read.
  public struct GetDevices: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).GetDevices"
    /// The names of the parameters: there are none.
    package static let names: [String] = []

    /// Creates a call.
    public init() {}

    /// The reply to a call of this method.
    public struct Reply: Codable, Hashable, Sendable {
      /// The touchscreens that the daemon reads.
      public var devices: [Device]
      /// The touchscreens that it does not read, sorted by node.
      public var refused: [RefusedDevice]

      /// Creates a reply with these members.
      package init(devices: [Device], refused: [RefusedDevice]) {
        self.devices = devices
        self.refused = refused
      }
    }
  }
}
