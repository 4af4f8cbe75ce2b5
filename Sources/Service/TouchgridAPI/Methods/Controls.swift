extension API {
  /// Lists the controls of the configuration, and those that clients have set. Role: app or read.
  public struct GetControls: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).GetControls"
    /// The names of the parameters: there are none.
    package static let names: [String] = []

    /// Creates a call.
    public init() {}

    /// The reply to a call of this method.
    public struct Reply: Codable, Hashable, Sendable {
      /// The controls of the configuration.
      public var configured: [ScreenControls]
      /// The controls that clients have set.
      public var added: [ScreenControls]

      /// Creates a reply with these members.
      package init(configured: [ScreenControls], added: [ScreenControls]) {
        self.configured = configured
        self.added = added
      }
    }
  }

  /// Sets the controls of a screen, in place of those that clients have set for it before, until
  /// the daemon stops. Controls of the configuration stay; they lie below. With a display, those
  /// that the configuration has for all displays stay as well, unless it has some for this one. Call it whenever the
  /// layout of the screen changes: touches that began before are compared with the controls before.
  /// Role: app.
  ///
  /// Errors: `InvalidValue`; `LimitReached` if a screen would have more than 256 controls, if clients
  /// have set more than 4096, or on more than 256 screens, or if a screen has had more than 64
  /// different layouts in a day. Then it has no controls of clients.
  public struct SetControls: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).SetControls"
    /// The names of the parameters.
    package static let names = ["screen", "display", "controls"]

    /// The name of the screen.
    public var screen: String
    /// The name of the display; nil for every display without a list of its own.
    public var display: String?
    /// The controls, from back to front; empty to remove all.
    public var controls: [Control]

    /// Creates a call with these parameters.
    public init(screen: String, display: String? = nil, controls: [Control]) {
      self.screen = screen
      self.display = display
      self.controls = controls
    }

    /// The reply to a call of this method.
    public typealias Reply = NoReply
  }

  /// Says how long after a touch of a control the screen changed. It counts if the touch was counted
  /// as a hit of this control and ended within 250 ms of `endedAtUs`, once for each hit. Else it is
  /// ignored, as on a screen with a mask, for touches that may be ghosts, and for those of ended
  /// sessions. It may come before the touch is counted. Role: app.
  ///
  /// Errors: `InvalidValue`.
  public struct AddResponse: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).AddResponse"
    /// The names of the parameters.
    package static let names = ["screen", "display", "control", "endedAtUs", "responseMs"]
    /// The time after which an observer stops to wait for a change, in ms.
    public static let limitMs: Int64 = 2500

    /// The name of the screen that was shown when the touch began.
    public var screen: String
    /// The name of the display; nil for any.
    public var display: String?
    /// The name of the control.
    public var control: String
    /// When the touch ended, on `CLOCK_MONOTONIC`, in µs: at most 5 s ago. nil: `responseMs` ago, or
    /// `limitMs` ago without `responseMs`.
    public var endedAtUs: Int64?
    /// The time from the end of the touch until the screen changed, 0 to `limitMs` ms; nil if it did
    /// not change until then.
    public var responseMs: Int64?

    /// Creates a call with these parameters.
    public init(
      screen: String, display: String? = nil, control: String, endedAtUs: Int64? = nil,
      responseMs: Int64?
    ) {
      self.screen = screen
      self.display = display
      self.control = control
      self.endedAtUs = endedAtUs
      self.responseMs = responseMs
    }

    /// The reply to a call of this method.
    public typealias Reply = NoReply
  }
}
