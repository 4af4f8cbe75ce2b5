/// The masks and the times when they applied. A former mask is kept until everything that was shown
/// during its time has been added up.
struct MaskHistory: Sendable {
  private struct Former: Sendable {
    /// nil for a mask of every screen as a whole.
    let mask: Mask?
    var since: Timestamp
    var until: Timestamp
  }

  private(set) var masks = Masks()
  /// The times at which masks in `masks` began to apply; the key nil stands for the mask of
  /// everything. A mask that is missing here has always applied.
  private var since: [Mask?: Timestamp] = [:]
  private var former: [Former] = []

  /// Replaces the masks.
  /// - Parameters:
  ///   - masks: the masks from now on.
  ///   - time: the time from which they apply; nil to replace the history as well, as if they had
  ///     always applied.
  ///   - lead: the new masks also apply to touches that began at most this long before, in µs.
  mutating func replace(with masks: Masks, at time: Timestamp?, lead: Int64) {
    guard let time else { return self = MaskHistory(masks: masks) }
    for mask in self.masks.withEverything where !masks.apply(mask) {
      let since = since.removeValue(forKey: mask) ?? Timestamp(microseconds: .min)
      former.append(Former(mask: mask, since: since, until: time))
    }
    shorten()
    for mask in masks.withEverything where !self.masks.apply(mask) {
      since[mask] = time + -lead
    }
    self.masks = masks
  }

  /// Limits the history, because clients may change masks as often as they like. Former masks are
  /// merged into masks of whole screens, and if there are still too many, into one mask of all
  /// screens. The result covers at least the masked areas, so that none of them looks as if people
  /// had not touched it.
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

  /// Forgets masks that ended before a time. Call only if no earlier time will be queried.
  mutating func forget(before time: Timestamp) { former.removeAll { $0.until < time } }

  /// Returns the rectangles in which touches of a screen were masked at any time from `start` to
  /// `end`, on the display and geometry of the key.
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
    for mask in masks.withEverything where (since[mask] ?? start) <= end { add(mask) }
    for former in former where former.since <= end && former.until >= start { add(former.mask) }
    return rectangles
  }
}

extension Masks {
  /// The masks; nil stands for the mask of everything.
  fileprivate var withEverything: [Mask?] { coverEverything ? list + [nil] : list }

  /// - Parameter mask: nil for the mask of everything.
  fileprivate func apply(_ mask: Mask?) -> Bool { mask.map(contains) ?? coverEverything }
}

extension Rectangle {
  /// The whole display; nil if it has no size.
  package static func whole(_ geometry: DisplayGeometry) -> Rectangle? {
    Rectangle(x: 0, y: 0, width: geometry.width, height: geometry.height)
  }

  /// The common part of both rectangles; nil if it has no size.
  package func clipped(to other: Rectangle) -> Rectangle? {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return Rectangle(
      x: left, y: top, width: min(x + width, other.x + other.width) - left,
      height: min(y + height, other.y + other.height) - top)
  }

  private static func isBefore(_ one: Rectangle, _ two: Rectangle) -> Bool {
    (one.y, one.x, one.height, one.width) < (two.y, two.x, two.height, two.width)
  }

  /// Returns each rectangle once, sorted by position, so that the order does not reveal when each
  /// was added. Returns only the whole display if it is among them, or if there are more rectangles
  /// than `Masks.limit`.
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
