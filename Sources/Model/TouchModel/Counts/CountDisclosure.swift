/// What a release shows of a kind's counts: sums of a fleet that people outside may read.
/// `touchgrid-fleet release` keeps the rule for all kinds (`fleet/touchgrid_fleet/disclosure.py`).
public enum CountDisclosure: Sendable {
  /// Nothing.
  /// - Parameter reason: completes "they are in no release: …".
  case nothing(reason: String)
  /// Units of each subject. A touch or another event may count in one of them only, and the numbers of
  /// several units may not add up to something known: they must tell nothing of each other.
  /// - Parameter of: returns those of a subject; nil if the key is not valid.
  case units(of: @Sendable (_ key: String) -> DisclosedCounts?)
}

/// What a release may show of a subject.
public struct DisclosedCounts: Hashable, Sendable {
  /// The subject's key in a release.
  public var key: String
  /// A number that is in no unit is in no release.
  public var units: [Unit]

  public init(key: String, units: [Unit]) {
    self.key = key
    self.units = units
  }

  /// Numbers that are shown together, or not at all.
  public struct Unit: Hashable, Sendable {
    public var parts: [Part]
    /// The places of the numbers that count touches of the subject's view, each touch once.
    public var touches: [Int]
    /// Where the unit lies on the display. A release masks it there if it hides it: so its zeros are
    /// not taken for counts.
    public var area: Rectangle?

    public init(parts: [Part], touches: [Int] = [], area: Rectangle? = nil) {
      self.parts = parts
      self.touches = touches
      self.area = area
    }
  }

  /// Numbers behind which there must be enough sessions on enough kiosks.
  public struct Part: Hashable, Sendable, Encodable {
    public var places: [Int]
    /// The place of the number of sessions; nil if they are not counted. Then each kiosk's day with
    /// one of the numbers stands for one session, because it has at least one.
    public var sessions: Int?

    public init(places: [Int], sessions: Int? = nil) {
      self.places = places
      self.sessions = sessions
    }
  }
}
