internal import Text

extension API {
  /// Lists the masks. Role: app or read.
  public struct GetMasks: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).GetMasks"
    /// The names of the parameters: there are none.
    package static let names: [String] = []

    /// Creates a call.
    public init() {}

    /// The reply to a call of this method.
    public struct Reply: Codable, Hashable, Sendable {
      /// The masks of the configuration.
      public var configured: [Mask]
      /// The masks that clients have added.
      public var added: [Mask]
      /// Masks of whole screens that the daemon adds while it only guesses the size of a display,
      /// or the display that a touchscreen lies on. There is one for each screen with a mask that
      /// may concern that touchscreen, on its display.
      public var widened: [Mask]
      /// Whether every touch is masked, because there is no configuration yet.
      public var everything: Bool
      /// Rises whenever the masks change, also for a moment only. Between two replies with the same
      /// number, the masks did not change.
      public var revision: Int64

      /// Creates a reply with these members.
      package init(
        configured: [Mask], added: [Mask], widened: [Mask] = [], everything: Bool = false,
        revision: Int64 = 0
      ) {
        self.configured = configured
        self.added = added
        self.widened = widened
        self.everything = everything
        self.revision = revision
      }
    }
  }

  /// Adds a mask, until a client removes it or the daemon stops. It also applies to touches that
  /// are not yet counted. A mask that must always apply belongs in the configuration. Role: app.
  ///
  /// Adding a mask again changes nothing.
  ///
  /// Errors: `InvalidValue`; `LimitReached` if clients have already added 256 masks.
  public struct AddMask: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).AddMask"
    /// The names of the parameters.
    package static let names = ["mask"]

    /// The mask to add.
    public var mask: Mask

    /// Creates a call with these parameters.
    public init(mask: Mask) { self.mask = mask }

    /// The reply to a call of this method.
    public typealias Reply = NoReply
  }

  /// Removes a mask that clients have added, regardless of which clients added it and how many
  /// times. Role: app.
  ///
  /// Errors: `InvalidValue`; `NoSuchMask` if no client has added exactly this mask.
  public struct RemoveMask: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).RemoveMask"
    /// The names of the parameters.
    package static let names = ["mask"]

    /// The mask to remove.
    public var mask: Mask

    /// Creates a call with these parameters.
    public init(mask: Mask) { self.mask = mask }

    /// The reply to a call of this method.
    public typealias Reply = NoReply
  }
}

extension API.GetMasks.Reply {
  /// Returns whether anything of a screen is masked, on any display.
  package func concerns(_ screen: String) -> Bool {
    everything
      || (configured + added + widened).contains { ExactName($0.screen) == ExactName(screen) }
  }
}
