extension API {
  /// Sends the touches frame by frame until the connection ends. Needs `more`. Role: watch.
  ///
  /// The first reply comes immediately. It has all displays, all masks and the touches that are
  /// down (as `stationary`). One reply follows for each frame in which a touch began, moved or
  /// ended, and for changes of displays and masks. While there are masks, frames are delayed by
  /// `late_names`, because a late screen name may still mask touches of that time. Touches in masks
  /// are never sent. A touch that slides into a mask is sent up to the mask, and is then
  /// `cancelled`.
  ///
  /// Error: `TooSlow` if the client does not read its replies.
  public struct WatchTouches: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).WatchTouches"
    /// The names of the parameters: there are none.
    package static let names: [String] = []

    /// Creates a call.
    public init() {}

    /// One frame.
    public struct Reply: Codable, Hashable, Sendable {
      /// The time of the frame, on `CLOCK_MONOTONIC` in µs.
      public var atUs: Int64
      /// The touches of the frame.
      public var touches: [Touch]
      /// All displays, in the first reply and when the geometry, the devices or the screen of one
      /// have changed; nil otherwise.
      public var displays: [Display]?
      /// All masks, in the first reply and when one was added or removed; nil otherwise.
      public var masks: [Mask]?

      /// Creates a reply with these members.
      package init(
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
