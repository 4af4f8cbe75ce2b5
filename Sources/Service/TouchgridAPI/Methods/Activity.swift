public import TouchModel

extension API {
  /// Whether somebody uses the touchscreens (`active`), or nobody has touched for a while (`idle`).
  public typealias ActivityState = Activity.State

  /// Tells whether somebody touches, until the connection ends. Needs `more`. Role: signal.
  ///
  /// The first reply comes immediately. One reply follows for each change. `idle` comes when nobody
  /// has touched for ``idleAfterMs``, and up to 5 s later, because the times of touches are rounded
  /// up to 5 s: from single times others could infer what is typed. `active` comes with the first
  /// touch after that, at once. Touches in masks and during pauses count like all others; palms and
  /// suspected ghosts do not count. A finger that stays down is active; during a pause it counts only
  /// when it lands and while it moves, and palms count too. The time while the machine is suspended
  /// counts as time without touches.
  ///
  /// Error: `InvalidValue`.
  public struct WatchActivity: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).WatchActivity"
    /// The names of the parameters.
    package static let names = ["idleAfterMs"]
    /// The values that the daemon accepts for `idleAfterMs`: 5 s to one day.
    package static let idleRange: ClosedRange<Int64> = 5000...86_400_000

    /// How long nobody touches until the state is `idle`, in ms: 5000 (5 s) to 86,400,000 (one
    /// day).
    public var idleAfterMs: Int64

    /// Creates a call with these parameters.
    public init(idleAfterMs: Int64) { self.idleAfterMs = idleAfterMs }

    /// One state.
    public struct Reply: Codable, Hashable, Sendable {
      /// The state. nil in the first reply if the daemon has not run for `idleAfterMs` yet, and
      /// nobody has touched since its start.
      public var state: ActivityState?
      /// When the state began, in ms since 1970-01-01 00:00 UTC. For `idle`, the last touch was in
      /// the 5 s before, or there was none since the daemon's start, which is then the time. For
      /// `active`, the time of the first touch; nil in the first reply. nil without a state.
      public var sinceAtMs: Int64?

      /// Creates a reply with these members.
      package init(state: ActivityState? = nil, sinceAtMs: Int64? = nil) {
        self.state = state
        self.sinceAtMs = sinceAtMs
      }
    }
  }
}
