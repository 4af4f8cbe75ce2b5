package import TouchModel

extension API {
  package typealias ScreenFlow = TouchModel.ScreenFlow
  package typealias FlowStep = TouchModel.FlowStep
  package typealias Funnel = TouchModel.Funnel
  package typealias FunnelCounts = TouchModel.FunnelCounts

  /// Returns how people moved between screens, added up over days. Role: read.
  ///
  /// Errors: `InvalidValue`; `LimitReached`; `ReplyTooLong`; `StoreFailed`.
  package struct GetFlows: Method, ServedMethod {
    /// The fully qualified name of the method.
    package static let name = "\(interface).GetFlows"
    /// The names of the parameters.
    package static let names = ["span", "weekdays", "day"]

    /// Selects the days with any part in it; nil for all days.
    package var span: Span?
    /// Selects the days that are one of these, 1 (Monday) to 7 (Sunday); nil for all days.
    package var weekdays: [Int64]?
    /// The only day, in the kiosk's local calendar: `YYYY-MM-DD`. Excludes `span` and `weekdays`.
    package var day: String?

    /// Creates a call with these parameters.
    package init(span: Span? = nil, weekdays: [Int64]? = nil, day: String? = nil) {
      self.span = span
      self.weekdays = weekdays
      self.day = day
    }

    /// The reply to a call of this method.
    package struct Reply: Codable, Hashable, Sendable {
      /// The number of sessions.
      package var sessions: UInt64
      package var screens: [ScreenFlow]
      package var steps: [FlowStep]
      package var funnels: [FunnelCounts]
      /// The kinds of changes that are left out, because too few sessions had them.
      package var hiddenSteps: Int

      /// Creates a reply.
      package init(_ counts: FlowCounts, hiddenSteps: Int) {
        (sessions, screens) = (counts.sessions, counts.screens)
        (steps, funnels) = (counts.steps, counts.funnels)
        self.hiddenSteps = hiddenSteps
      }

      /// The model's counts; nil if they contradict each other.
      package var counts: FlowCounts? {
        let counts = FlowCounts(
          sessions: sessions, screens: screens, steps: steps, funnels: funnels)
        return counts.isPlausible && hiddenSteps >= 0 ? counts : nil
      }
    }
  }
}
