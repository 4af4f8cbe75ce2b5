/// The screens that a display showed, as clients named them, with the times of the changes.
struct ScreenTimeline: Sendable {
  /// The name until a client names a screen.
  static let initialName = "default"

  private struct Change: Sendable {
    var time: Timestamp
    /// nil if the name was forgotten.
    var name: String?
    var namer: ClientID?
    /// Whether the screen was reset because the client that had named it disconnected.
    var isReset = false
  }

  /// The maximum number of changes that are kept, besides those that `thin` keeps for touches.
  static let limit = 1024

  private var changes: [Change]
  /// The caller's number of the last call that changed which screens were shown.
  var revision: Int64 = 0

  /// - Parameter name: the screen that is shown until the first change.
  init(showing name: String = initialName) {
    changes = [Change(time: Timestamp(microseconds: .min), name: name)]
  }

  /// The name of the current screen.
  var current: String { changes.last?.name ?? Self.initialName }

  /// - Returns: the screen that was shown at a time, as far as known now; nil if it was forgotten.
  func name(at time: Timestamp) -> String? { changes.last { $0.time <= time }?.name }

  /// - Returns: the start of the uninterrupted period in which the screen at a time was shown; nil
  ///   if it was forgotten.
  func shown(at time: Timestamp) -> Timestamp? {
    guard var index = changes.lastIndex(where: { $0.time <= time }),
      let name = changes[index].name
    else { return nil }
    while index > 0, let former = changes[index - 1].name, former.hasSameBytes(as: name) {
      index -= 1
    }
    return changes[index].time
  }

  /// The client that named the current screen; nil if there is none or it is unknown.
  var namer: ClientID? { changes.last?.namer }

  /// Adds a change. Changes need not arrive in chronological order.
  mutating func insert(
    _ name: String, at time: Timestamp, by namer: ClientID? = nil, revision: Int64 = 0
  ) {
    let before = changes.count
    // A client named the screen after all, so later resets are void.
    changes.removeAll { $0.isReset && $0.time >= time }
    if changes.count < before || self.name(at: time)?.hasSameBytes(as: name) != true {
      self.revision = revision
    }
    let index = changes.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
    changes.insert(Change(time: time, name: name, namer: namer), at: index)
  }

  /// Resets the screen, because no client names it from now on.
  mutating func reset(at time: Timestamp, revision: Int64 = 0) {
    if !current.hasSameBytes(as: Self.initialName) { self.revision = revision }
    changes.append(Change(time: time, name: Self.initialName, isReset: true))
  }

  /// Calls `body` for each stretch between two times in which one screen was shown. Leaves out
  /// stretches whose screen was forgotten.
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

  /// The number of changes that are kept.
  var count: Int { changes.count }

  /// The time before which `thin` is to forget; nil if there are at most `limit` changes.
  var crowdedUntil: Timestamp? {
    changes.count > Self.limit ? changes[changes.count - Self.limit / 2].time : nil
  }

  /// Forgets the screens before a time, except those at the times of touch-downs. A late name can
  /// still change the screens of these touches.
  mutating func thin(before time: Timestamp, keeping begins: [Timestamp]) {
    guard let keep = changes.lastIndex(where: { $0.time <= time }), keep > 0 else { return }
    let needed = begins.compactMap { begin in
      begin < changes[keep].time ? changes[..<keep].lastIndex { $0.time <= begin } : nil
    }
    var kept: [Change] = []
    for index in Set(needed).sorted() {
      kept.append(changes[index])
      // The next screen is forgotten, so the screen must be unknown there: a touch at that time
      // might have been masked.
      if index + 1 < keep { kept.append(Change(time: changes[index + 1].time)) }
    }
    // A kept change may have the same time as the marker of a forgotten one before it. At equal
    // times, the later element is valid.
    changes = kept + changes[keep...]
  }

  /// Whether a client has named a screen that was first shown after a time.
  func hasName(after time: Timestamp) -> Bool {
    changes.contains { $0.time > time && $0.name != nil && !$0.isReset }
  }

  /// Removes the changes before a time. If too many remain, also removes the older half of them.
  mutating func shorten(before time: Timestamp) {
    forget(before: time)
    if let crowdedUntil { thin(before: crowdedUntil, keeping: []) }
  }

  /// Forgets the screens before a time. Call only if no earlier time will be queried.
  mutating func forget(before time: Timestamp) {
    guard let keep = changes.lastIndex(where: { $0.time <= time }), keep > 0 else { return }
    // A screen that was named again keeps the start of its period.
    let since = shown(at: changes[keep].time)
    changes.removeFirst(keep)
    if let since { changes[0].time = since }
  }
}
