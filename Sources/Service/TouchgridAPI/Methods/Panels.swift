extension API {
  /// Returns what touchscreens sensed: one value for each panel and day, in the order of the days.
  /// With `more`, each reply has one. The running session counts as of its last checkpoint. Role:
  /// read.
  ///
  /// Errors: `InvalidValue`; `NoSuchSession`; `ReplyTooLong`; `StoreFailed`, also if tags or hours
  /// are given and some sessions of the span have been deleted.
  package struct GetPanels: Method, ServedMethod {
    /// The fully qualified name of the method.
    package static let name = "\(interface).GetPanels"
    /// The names of the parameters.
    package static let names = [
      "device", "session", "span", "tags", "weekdays", "hours", "day",
    ]

    /// The key of the device; nil for all devices.
    package var device: String?
    /// The id of the only session that the counts cover.
    package var session: Int64?
    /// The span in which the sessions began that the counts cover; nil for all time.
    package var span: Span?
    /// Selects, within `span`, the sessions that have all of these tags; nil selects all.
    package var tags: [String: String]?
    /// Selects, within `span`, the sessions that began on these days of the kiosk's local
    /// calendar, 1 (Monday) to 7 (Sunday); nil selects all.
    package var weekdays: [Int64]?
    /// Selects, within `span`, the sessions that began in these hours; nil selects all.
    package var hours: HourRange?
    /// The day on which the sessions began that the counts cover, in the kiosk's local calendar:
    /// `YYYY-MM-DD`.
    package var day: String?

    /// Creates a call with these parameters.
    package init(
      device: String? = nil, session: Int64? = nil, span: Span? = nil,
      tags: [String: String]? = nil, weekdays: [Int64]? = nil, hours: HourRange? = nil,
      day: String? = nil
    ) {
      self.device = device
      self.session = session
      self.span = span
      self.tags = tags
      self.weekdays = weekdays
      self.hours = hours
      self.day = day
    }

    /// The reply to a call of this method.
    package struct Reply: Codable, Hashable, Sendable {
      /// The panels.
      package var panels: [Panel]

      /// Creates a reply with these members.
      package init(panels: [Panel]) { self.panels = panels }
    }
  }
}
