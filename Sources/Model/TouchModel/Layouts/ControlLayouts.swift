/// The controls of all screens, with the times since which each layout applies. A touch is compared
/// with the layout at its touch-down.
struct ControlLayouts: Sendable {
  /// The time for which a former layout is remembered, in µs. A finger that has rested for longer
  /// counts for no control.
  private static let memory: Int64 = 15_000_000
  /// The maximum number of controls in all former layouts together. If there are more, all former
  /// layouts are forgotten.
  private static let formerLimit = 16_384

  private typealias Place = ScreenControls.Place

  private struct Layout: Sendable {
    var since: Timestamp
    /// Empty: the screen has no controls.
    var controls: [Control]
  }

  private var layouts: [Place: [Layout]] = [:]
  /// Whether some display has a list of its own.
  private var hasOwnLists = false

  /// Whether no screen has, or had, controls.
  var isEmpty: Bool { layouts.isEmpty }

  /// The controls of all layouts, former ones included.
  var rememberedControls: Int {
    layouts.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.controls.count } }
  }

  /// Replaces the controls of all screens.
  /// - Parameter time: the time from which the layouts apply; nil: as if they had always applied. A
  ///   screen's first layout always counts as if it had always applied.
  mutating func replace(with lists: [ScreenControls], at time: Timestamp?) {
    if time == nil { layouts = [:] }
    let first = Timestamp(microseconds: .min)
    let time = time ?? first
    var new: [Place: [Control]] = [:]
    for list in lists where !list.controls.isEmpty {
      new[list.place] = list.controls
    }
    for (place, known) in layouts where new[place] == nil && known.last?.controls.isEmpty == false {
      layouts[place]?.append(Layout(since: time, controls: []))
    }
    for (place, controls) in new where layouts[place]?.last?.controls != controls {
      // The store refuses impossible sets.
      guard ControlSet(controls, pointSize: ControlSet.assumedPointSize) != nil else { continue }
      layouts[place, default: []].append(
        Layout(since: layouts[place] == nil ? first : time, controls: controls))
    }
    hasOwnLists = layouts.keys.contains { $0.display != nil }
    if time > first { forget(before: time + -Self.memory) }
  }

  /// Forgets the layouts that another one replaced before a time.
  private mutating func forget(before time: Timestamp) {
    var former = 0
    for (place, known) in layouts {
      let kept = known.lastIndex { $0.since <= time } ?? 0
      let rest = Array(known[kept...])
      former += rest.dropLast().reduce(0) { $0 + $1.controls.count }
      layouts[place] = Self.isOver(rest, time) ? nil : rest
    }
    guard former > Self.formerLimit || layouts.count > Self.formerLimit else { return }
    layouts = layouts.compactMapValues { known in
      known.last.flatMap { $0.controls.isEmpty ? nil : [$0] }
    }
  }

  /// Whether a screen has had no controls since a time.
  private static func isOver(_ known: [Layout], _ time: Timestamp) -> Bool {
    known.count == 1 && known[0].controls.isEmpty && known[0].since <= time
  }

  /// Returns the controls of a screen at a time; empty if it had none.
  func controls(of screen: String, on display: String, at time: Timestamp) -> [Control] {
    guard !layouts.isEmpty else { return [] }
    func find(_ display: String?) -> [Control]? {
      layouts[Place(screen, display)]?.last { $0.since <= time }?.controls
    }
    // A display whose own list was removed has the list for all displays again.
    if hasOwnLists, let own = find(display), !own.isEmpty { return own }
    return find(nil) ?? []
  }
}
