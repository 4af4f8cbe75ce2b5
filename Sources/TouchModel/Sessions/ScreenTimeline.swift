/// What one display showed when: the names that the app gave, by the time of the change.
struct ScreenTimeline: Sendable {
  /// The name until the app says one.
  static let initialName = "default"

  private struct Change: Sendable {
    var time: Timestamp
    var name: String
  }

  private var changes: [Change]

  /// - Parameter name: what it has shown for ever.
  init(showing name: String = initialName) {
    changes = [Change(time: Timestamp(microseconds: .min), name: name)]
  }

  /// The name now.
  var current: String { changes.last?.name ?? Self.initialName }

  /// - Returns: what was shown at a time, as far as is known now; nil where that is forgotten.
  func name(at time: Timestamp) -> String? { changes.last { $0.time <= time }?.name }

  /// Changes may become known in another order than they happened.
  mutating func insert(_ name: String, at time: Timestamp) {
    let index = changes.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
    changes.insert(Change(time: time, name: name), at: index)
  }

  /// Calls `body` for each stretch of one name between two times.
  func forEachStretch(
    from start: Timestamp, to end: Timestamp,
    _ body: (String, _ from: Timestamp, _ to: Timestamp) -> Void
  ) {
    for (index, change) in changes.enumerated() {
      let next = index + 1 < changes.count ? changes[index + 1].time : end
      let from = max(start, change.time)
      let to = min(end, next)
      if to > from { body(change.name, from, to) }
    }
  }

  /// Forgets what was shown before a time that nobody will ask about.
  mutating func forget(before time: Timestamp) {
    guard let keep = changes.lastIndex(where: { $0.time <= time }), keep > 0 else { return }
    changes.removeFirst(keep)
  }
}
