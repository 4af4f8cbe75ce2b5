extension API {
  /// Lists the displays that touchscreens lie on. Role: app or read.
  public struct GetDisplays: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).GetDisplays"
    /// The names of the parameters: there are none.
    package static let names: [String] = []

    /// Creates a call.
    public init() {}

    /// The reply to a call of this method.
    public struct Reply: Codable, Hashable, Sendable {
      /// The displays, sorted by name.
      public var displays: [Display]

      /// Creates a reply with these members.
      package init(displays: [Display]) { self.displays = displays }
    }
  }

  /// Turns a display or gives it another geometry, until the daemon stops. Role: app.
  ///
  /// Parameters that are nil keep their value. If all are nil, the change is undone: the display
  /// gets the geometry that other sources give it. Touches that are down keep the geometry on which
  /// they began.
  ///
  /// Errors: `NoSuchDisplay`; `InvalidValue`, also if the configuration masks a rectangle on this
  /// display; `LimitReached` after 60 changes within a minute, of all clients together.
  public struct SetDisplay: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).SetDisplay"
    /// The names of the parameters.
    package static let names = ["name", "pixelWidth", "pixelHeight", "scale", "rotation"]

    /// The name of a display that a touchscreen lies on.
    public var name: String
    /// The width of the panel before rotation, in pixels: 1 to 16,384. Needs `pixelHeight`.
    public var pixelWidth: Int?
    /// The height of the panel before rotation, in pixels: 1 to 16,384. Needs `pixelWidth`.
    public var pixelHeight: Int?
    /// Pixels per point: 0.25 to 16.
    public var scale: Double?
    /// How far the picture is turned clockwise, in degrees: 0, 90, 180 or 270.
    public var rotation: Int?

    /// Creates a call with these parameters.
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

    /// The reply to a call of this method.
    public struct Reply: Codable, Hashable, Sendable {
      /// The display after the change.
      public var display: Display

      /// Creates a reply with these members.
      package init(display: Display) { self.display = display }
    }
  }

  /// Reports the mode in which a compositor drives a display, or withdraws the report. Role: app.
  ///
  /// The mode takes precedence over the one that the kernel prefers. A size from the configuration
  /// or from ``SetDisplay`` takes precedence over the mode. The report holds until the connection
  /// has been closed for 10 s.
  ///
  /// Errors: `InvalidValue`; `LimitReached` above 16 displays for one connection, or after 60
  /// changes by one user within a minute.
  public struct SetDisplayMode: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).SetDisplayMode"
    /// The names of the parameters.
    package static let names = ["name", "pixelWidth", "pixelHeight"]

    /// The connector, such as `HDMI-A-1`. A touchscreen need not lie on it yet.
    public var name: String
    /// The width of the mode before rotation, in pixels: 1 to 16,384. If it and `pixelHeight` are
    /// nil, the report is withdrawn.
    public var pixelWidth: Int?
    /// The height of the mode before rotation, in pixels: 1 to 16,384. nil if `pixelWidth` is nil.
    public var pixelHeight: Int?

    /// Creates a call with these parameters.
    public init(name: String, pixelWidth: Int? = nil, pixelHeight: Int? = nil) {
      self.name = name
      self.pixelWidth = pixelWidth
      self.pixelHeight = pixelHeight
    }

    /// The reply to a call of this method.
    public typealias Reply = NoReply
  }

  /// Returns the name of the screen that a display shows. Role: app or read.
  ///
  /// Error: `NoSuchDisplay`.
  public struct GetScreen: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).GetScreen"
    /// The names of the parameters.
    package static let names = ["display"]

    /// The name of the display. nil stands for the only display; if there are several or none, the
    /// reply has the screen that was last set for all displays.
    public var display: String?

    /// Creates a call with these parameters.
    public init(display: String? = nil) { self.display = display }

    /// The reply to a call of this method.
    public struct Reply: Codable, Hashable, Sendable {
      /// The name of the screen; `default` if no client has named one.
      public var screen: String
      /// Rises whenever the screen changes, also to one that was shown for a moment only. Between two
      /// replies with the same number, this screen was shown.
      public var revision: Int64

      /// Creates a reply with these members.
      package init(screen: String, revision: Int64 = 0) {
        self.screen = screen
        self.revision = revision
      }
    }
  }

  /// Tells the daemon that the app shows another screen. Role: app.
  ///
  /// Errors: `InvalidValue`; `NoSuchDisplay`; `TooLate` if `changedAtUs` is longer ago than
  /// `late_names`; `LimitReached` if the session has too many screens.
  public struct SetScreen: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).SetScreen"
    /// The names of the parameters.
    package static let names = ["name", "display", "changedAtUs"]

    /// The name of the screen: 1 to 128 bytes of printable UTF-8.
    public var name: String
    /// The name of the display that shows it; nil for all displays.
    public var display: String?
    /// When the screen changed, on `CLOCK_MONOTONIC` in µs; nil for now. Touches that begin from
    /// then on belong to the new screen. The change may be at most `late_names` ago (250 ms unless
    /// configured), and must not be in the future.
    public var changedAtUs: Int64?

    /// Creates a call with these parameters.
    public init(name: String, display: String? = nil, changedAtUs: Int64? = nil) {
      self.name = name
      self.display = display
      self.changedAtUs = changedAtUs
    }

    /// The reply to a call of this method.
    public typealias Reply = NoReply
  }

  /// Makes the screen names that this connection sets end with the connection. Role: app.
  ///
  /// 2 s after the connection has ended, the screen is `default` again, unless a client has named
  /// one since. A screen with a mask keeps its name, because the display may still show it.
  public struct Follow: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).Follow"
    /// The names of the parameters: there are none.
    package static let names: [String] = []

    /// Creates a call.
    public init() {}

    /// The reply to a call of this method.
    public typealias Reply = NoReply
  }
}
