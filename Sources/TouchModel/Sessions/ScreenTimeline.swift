/// What one display showed when: the names that the app gave, by the time of the change.
struct ScreenTimeline: Sendable {
  /// The name until the app says one.
  static let initialName = "default"

  private struct Change: Sendable {
    var time: Timestamp
    /// nil: forgotten.
    var name: String?
    var namer: NamerID?
    /// Nobody said it: nobody was there to say what is shown.
    var isReset = false
  }

  /// The most changes that are kept, besides one for each touch whose screen a late name can still change.
  static let limit = 1024

  private var changes: [Change]

  /// - Parameter name: what it has shown for ever.
  init(showing name: String = initialName) {
    changes = [Change(time: Timestamp(microseconds: .min), name: name)]
  }

  /// The name now.
  var current: String { changes.last?.name ?? Self.initialName }

  /// - Returns: what was shown at a time, as far as is known now; nil where that is forgotten.
  func name(at time: Timestamp) -> String? { changes.last { $0.time <= time }?.name }

  /// Who said the name now; nil where nobody did, or the configuration, or one who is not known.
  var namer: NamerID? { changes.last?.namer }

  /// Changes may become known in another order than they happened.
  mutating func insert(_ name: String, at time: Timestamp, by namer: NamerID? = nil) {
    // Somebody was there after all.
    changes.removeAll { $0.isReset && $0.time >= time }
    let index = changes.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
    changes.insert(Change(time: time, name: name, namer: namer), at: index)
  }

  /// Nobody knows what is shown from now on.
  mutating func reset(at time: Timestamp) {
    changes.append(Change(time: time, name: Self.initialName, isReset: true))
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
      if let name = change.name, to > from { body(name, from, to) }
    }
  }

  /// How many changes are kept.
  var count: Int { changes.count }

  /// The time before which `thin` is to forget; nil while there are no more than `limit` changes.
  var crowdedUntil: Timestamp? {
    changes.count > Self.limit ? changes[changes.count - Self.limit / 2].time : nil
  }

  /// Forgets what was shown before a time, but for what was shown when touches began. For these a late name still counts
  /// by its time.
  mutating func thin(before time: Timestamp, keeping begins: [Timestamp]) {
    guard let keep = changes.lastIndex(where: { $0.time <= time }), keep > 0 else { return }
    let needed = begins.compactMap { begin in
      begin < changes[keep].time ? changes[..<keep].lastIndex { $0.time <= begin } : nil
    }
    var kept: [Change] = []
    for index in Set(needed).sorted() {
      kept.append(changes[index])
      // What came next is forgotten: a touch of that time might have been masked.
      if index + 1 < keep { kept.append(Change(time: changes[index + 1].time)) }
    }
    // A later one that is kept has the same time as what is forgotten before it, and comes after it.
    changes = kept + changes[keep...]
  }

  /// Forgets what was shown before a time that nobody will ask about.
  mutating func forget(before time: Timestamp) {
    guard let keep = changes.lastIndex(where: { $0.time <= time }), keep > 0 else { return }
    changes.removeFirst(keep)
  }
}
