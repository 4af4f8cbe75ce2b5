package import Text
package import TouchModel

extension API {
  /// The counts of one subject, added up over sessions.
  public struct Counts: Codable, Hashable, Sendable {
    /// The day of the kiosk's local calendar on which the sessions began, `YYYY-MM-DD`; nil for the
    /// sum of all sessions that the call covers.
    public var day: String?
    /// What is counted, as JSON. `docs/store-format.md` explains the subjects of each kind, and their
    /// numbers.
    public var subject: String
    /// The sessions that have counts of it.
    public var sessions: UInt64
    /// The places of the numbers that are not 0, counted from 0, in rising order.
    public var places: [Int64]
    /// For each place, its number.
    public var counts: [Int64]
    /// The view that they belong to; nil for kinds of no view, and with `byDay`.
    public var view: CountedView?

    /// Creates the value from the model's.
    package init(_ found: FoundCounts) {
      day = found.day
      (subject, sessions) = (found.counts.subject.key, found.counts.sessions)
      places = found.counts.places
      counts = places.map { found.counts.numbers[Int($0)] }
      view = found.view.map { CountedView($0) }
    }

    /// The model's counts; nil if they cannot be counts of the kind.
    package func found(_ kind: any CountKind) -> FoundCounts? {
      let subject = CountSubject(kind: kind.name, key: subject)
      guard let shape = kind.shape(of: subject.key),
        let summed = SummedCounts(
          subject, shape, sessions: sessions, places: places, counts: counts)
      else { return nil }
      guard let view else { return FoundCounts(day: day, summed) }
      guard shape.view != nil, let found = view.found else { return nil }
      return FoundCounts(day: day, summed, view: found)
    }
  }

  /// A screen on a display geometry, over the sessions of a call.
  public struct CountedView: Codable, Hashable, Sendable {
    /// The sessions that showed it.
    public var sessions: UInt64
    /// The touches that these counted on it.
    public var touches: UInt64
    /// The rectangles that were masked in at least one of them.
    public var masks: [Rectangle]
    /// The height of the lower edge of the display above the floor now, in mm; nil if it is unknown.
    public var bottomMm: Double?

    package init(_ view: FoundView) {
      (sessions, touches, bottomMm) = (view.sessions, view.touches, view.bottom)
      masks = view.masks.map { Rectangle($0) }
    }

    /// The model's view; nil if it cannot be.
    fileprivate var found: FoundView? {
      let rectangles = masks.compactMap(\.rectangle)
      guard rectangles.count == masks.count, bottomMm.map({ (0...10_000).contains($0) }) ?? true
      else { return nil }
      return FoundView(sessions: sessions, touches: touches, masks: rectangles, bottom: bottomMm)
    }
  }
}

extension API.Counts: JSONWritable {
  /// Writes the same JSON as the encoder derived from `Codable`, only faster. A test compares the
  /// two.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("counts")
      json.value(counts)
      if let day {
        json.member("day")
        json.value(day)
      }
      json.member("places")
      json.value(places)
      json.member("sessions")
      json.value(sessions)
      json.member("subject")
      json.value(subject)
      if let view {
        json.member("view")
        json.value(view)
      }
    }
  }
}
