/// Which masks held when, as long as somebody may ask: for what was shown and is not yet added up.
struct MaskHistory: Sendable {
  private struct Former: Sendable {
    /// nil: of every screen as a whole.
    let mask: Mask?
    var since: Timestamp
    var until: Timestamp
  }

  private(set) var masks = Masks()
  /// Of `masks`, those that have not held for ever.
  private var since: [Mask: Timestamp] = [:]
  private var former: [Former] = []

  /// - Parameters:
  ///   - masks: those that hold from now on.
  ///   - time: nil: as if the former had never been, and the new ones always.
  ///   - lead: the new ones hold for touches that began so long before, in microseconds.
  mutating func replace(with masks: Masks, at time: Timestamp?, lead: Int64) {
    guard let time else { return self = MaskHistory(masks: masks) }
    for mask in self.masks.list where !masks.contains(mask) {
      let since = since.removeValue(forKey: mask) ?? Timestamp(microseconds: .min)
      former.append(Former(mask: mask, since: since, until: time))
    }
    shorten()
    for mask in masks.list where !self.masks.contains(mask) { since[mask] = time + -lead }
    self.masks = masks
  }

  /// Clients may change masks as fast as they like. What is too much to be remembered counts as masked as a whole,
  /// so that nowhere looks untouched that was masked: its screens, or where these are too many, all.
  private mutating func shorten() {
    guard former.count > Masks.limit else { return }
    former = joined { $0.map { Mask(screen: $0.screen, display: $0.display) } }
    if former.count > Masks.limit { former = joined { _ in nil } }
  }

  private func joined(_ whole: (Mask?) -> Mask?) -> [Former] {
    var joined: [Mask?: Former] = [:]
    for part in former {
      let mask = whole(part.mask)
      var sum = joined[mask] ?? Former(mask: mask, since: part.since, until: part.until)
      sum.since = min(sum.since, part.since)
      sum.until = max(sum.until, part.until)
      joined[mask] = sum
    }
    return Array(joined.values)
  }

  private init(masks: Masks) { self.masks = masks }

  init() {}

  /// Forgets what held before a time that nobody will ask about.
  mutating func forget(before time: Timestamp) { former.removeAll { $0.until < time } }

  /// Where touches of a screen were masked at some time between two, on a display of this geometry.
  func rectangles(of key: GridKey, from start: Timestamp, to end: Timestamp) -> Set<Rectangle> {
    guard !masks.isEmpty || !former.isEmpty else { return [] }
    var rectangles: Set<Rectangle> = []
    func add(_ mask: Mask?) {
      guard let mask else {
        if let whole = Rectangle.whole(key.geometry) { rectangles.insert(whole) }
        return
      }
      guard mask.screen == key.screen, (mask.display ?? key.display) == key.display else { return }
      let area = Rectangle.whole(key.geometry)
      if let part = mask.rectangle.map({ area.flatMap($0.clipped) }) ?? area {
        rectangles.insert(part)
      }
    }
    for mask in masks.list where (since[mask] ?? start) <= end { add(mask) }
    for former in former where former.since <= end && former.until >= start { add(former.mask) }
    return rectangles
  }
}

extension Rectangle {
  /// A display, or nil where it has no size.
  static func whole(_ geometry: DisplayGeometry) -> Rectangle? {
    Rectangle(x: 0, y: 0, width: geometry.width, height: geometry.height)
  }

  /// What both have in common; nil where that has no size.
  func clipped(to other: Rectangle) -> Rectangle? {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return Rectangle(
      x: left, y: top, width: min(x + width, other.x + other.width) - left,
      height: min(y + height, other.y + other.height) - top)
  }

  private static func isBefore(_ one: Rectangle, _ two: Rectangle) -> Bool {
    (one.y, one.x, one.height, one.width) < (two.y, two.x, two.height, two.width)
  }

  /// Each once, in an order that tells nothing of how they came about. With the whole display among them
  /// that alone; more than there may be masks at a time are the whole display too.
  public static func union(
    _ lists: some Sequence<some Sequence<Rectangle>>, on geometry: DisplayGeometry
  ) -> [Rectangle] {
    let all = Set(lists.joined())
    if let whole = whole(geometry), all.count > Masks.limit || all.contains(whole) {
      return [whole]
    }
    return all.sorted(by: isBefore)
  }
}
