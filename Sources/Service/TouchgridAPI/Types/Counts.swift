package import TouchModel

extension API.Counts {
  /// Creates the value from the model's.
  package init(_ found: FoundCounts) {
    let places = found.counts.places
    self.init(
      day: found.day, subject: found.counts.subject.key, sessions: found.counts.sessions,
      places: places, counts: places.map { found.counts.numbers[Int($0)] },
      view: found.view.map { API.CountedView($0) })
  }

  /// The model's counts; nil if they are not valid for the kind.
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

extension API.CountedView {
  fileprivate init(_ view: FoundView) {
    self.init(
      sessions: view.sessions, touches: view.touches,
      masks: view.masks.map { API.Rectangle($0) }, bottomMm: view.bottom)
  }

  /// The model's view; nil if it is not valid.
  fileprivate var found: FoundView? {
    let rectangles = masks.compactMap(\.rectangle)
    guard rectangles.count == masks.count, bottomMm.map({ (0...10_000).contains($0) }) ?? true
    else { return nil }
    return FoundView(sessions: sessions, touches: touches, masks: rectangles, bottom: bottomMm)
  }
}
