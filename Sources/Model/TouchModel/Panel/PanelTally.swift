/// The counts of the panels in one session.
struct PanelTally: Sendable {
  /// The maximum number of panels of a session, and of a recorder. The counts of one panel take 28
  /// kB.
  static let limit = 16

  /// The counts that a touch without motion or duration added, from which it can be removed.
  struct Effect: Sendable {
    fileprivate let panel: Int
    fileprivate let column: Int
    fileprivate let row: Int
    fileprivate let isShort: Bool
    fileprivate let hour: Int
  }

  private struct Panel: Sendable {
    let key: PanelKey
    let subject: CountSubject
    var counts = PanelCounts()
    var hasChanged = true
    /// The lines of the last touch, which most likely are also those of the next.
    var lines: PanelLines?

    init(key: PanelKey) {
      self.key = key
      subject = key.subject
    }
  }

  private var panels: [Panel] = []

  /// Adds a touch.
  /// - Parameters:
  ///   - hour: the hour in UTC of its touch-down.
  ///   - isShort: whether it lasted less than `PanelCounts.shortest`.
  /// - Returns: nil if the session has too many panels.
  mutating func add(
    _ trace: borrowing PanelTrace, in hour: Int, isShort: Bool
  ) -> Effect? {
    let known = panels.firstIndex { $0.lines === trace.lines }
    guard let panel = known ?? place(of: trace.lines.key) else { return nil }
    panels[panel].lines = trace.lines
    panels[panel].counts.add(trace)
    let effect = Effect(
      panel: panel, column: trace.column, row: trace.row, isShort: isShort, hour: hour)
    add(effect, 1)
    return effect
  }

  /// Removes a touch that has proven to be a ghost, and counts the ghost.
  mutating func moveOutGhost(_ effect: Effect) {
    add(effect, -1)
    panels[effect.panel].counts[ghostsIn: effect.hour] += 1
  }

  /// Counts a ghost that was not added as a touch.
  mutating func addGhost(of key: PanelKey, in hour: Int) {
    guard let panel = place(of: key) else { return }
    panels[panel].counts[ghostsIn: hour] += 1
    panels[panel].hasChanged = true
  }

  mutating func add(_ pair: PanelPairs.Pair) {
    guard let panel = place(of: pair.key) else { return }
    panels[panel].counts[.pairs, .vertical, pair.column] += 1
    panels[panel].counts[.pairs, .horizontal, pair.row] += 1
    panels[panel].hasChanged = true
  }

  private mutating func add(_ effect: Effect, _ amount: Int64) {
    panels[effect.panel].counts[column: effect.column, row: effect.row] += amount
    if effect.isShort { panels[effect.panel].counts[shortIn: effect.hour] += amount }
    panels[effect.panel].hasChanged = true
  }

  private mutating func place(of key: PanelKey) -> Int? {
    if let known = panels.firstIndex(where: { $0.key == key }) { return known }
    guard panels.count < Self.limit else { return nil }
    panels.append(Panel(key: key))
    return panels.count - 1
  }

  /// Returns the counts of the panels, in any order.
  /// - Parameter all: whether to include counts that have not changed since `clearChanges`.
  func counts(all: Bool) -> [SubjectCounts] {
    panels.filter { all || $0.hasChanged }.map { SubjectCounts($0.subject, $0.counts.numbers) }
  }

  mutating func clearChanges() {
    for panel in panels.indices { panels[panel].hasChanged = false }
  }
}

extension PanelTally: CountTally {
  /// A suspected ghost that was never counted as a touch.
  struct Ghost: Sendable {
    let key: PanelKey
    /// The hour in UTC of its touch-down.
    let hour: Int
  }

  /// A touch that the app did not get.
  struct Swallowed: Sendable {
    let trace: PanelTrace
    /// The hour in UTC of its touch-down.
    let hour: Int
    let isShort: Bool
  }

  mutating func add(_ touch: CountedTouch) -> (any Sendable)? {
    guard touch.isOfPanel else { return nil }
    let effect = add(touch.trace.panel, in: touch.hour, isShort: touch.isShort)
    return touch.trace.isStill ? effect : nil
  }

  mutating func moveOutGhost(_ effect: any Sendable) {
    if let effect = effect as? Effect { moveOutGhost(effect) }
  }

  mutating func note(_ event: any Sendable) {
    if let pair = event as? PanelPairs.Pair { add(pair) }
    if let ghost = event as? Ghost { addGhost(of: ghost.key, in: ghost.hour) }
    if let touch = event as? Swallowed {
      _ = add(touch.trace, in: touch.hour, isShort: touch.isShort)
    }
  }
}

extension PanelKey {
  /// The order of keys: by the bytes of the device, then by axes.
  public static func isBefore(_ left: PanelKey, _ right: PanelKey) -> Bool {
    if !left.device.hasSameBytes(as: right.device) {
      return left.device.hasBytesBefore(right.device)
    }
    return left.order.lexicographicallyPrecedes(right.order)
  }

  private var order: [Int32] {
    [x, y].flatMap { [$0.minimum, $0.maximum, $0.resolution] }
  }
}
