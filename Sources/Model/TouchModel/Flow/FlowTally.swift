internal import Text

/// Follows the screens of one session, and counts their use. It stores no sequence, only sums, the
/// current screen of each display, and recent changes, which may prove to have come after the
/// person left.
struct FlowTally: Sendable {
  /// The maximum number of different changes of screens, and of changes that wait.
  static let limit = 1024
  /// The time after the last touch for which a person is assumed to look at the screen, in µs: long
  /// enough for the app to respond, and shorter than an app waits before it returns to its first
  /// screen.
  private static let attention: Int64 = 5_000_000
  /// The time before the end of a session in which changes are ignored, in µs. An app that ends a
  /// session usually returns to its first screen at that moment.
  private static let farewell: Int64 = 1_000_000

  /// A touch of the session.
  struct Touch {
    var display: String
    var screen: String
    /// The time since which its screen was shown; nil if unknown.
    var shown: Timestamp?
    var began: Timestamp
    var ended: Timestamp
    /// Whether the touch is certainly a person's. If it may be a ghost, the person's waiting time
    /// is unknown.
    var isKnown: Bool
  }

  /// The screens of one display.
  fileprivate struct Path {
    var entry: ExactName?
    var current: ExactName?
    var steps: [Step: UInt64] = [:]
    /// The number of screens that were seen, for each funnel.
    var progress: [Int]
    var screens: [ExactName: Visits] = [:]
    /// Whether the person touched this display. Changes on other displays do not count.
    var wasTouched = false
    /// The screen of the last touch, the time since which it was shown, and the end of the last
    /// touch there; nil if unknown.
    var visit: (screen: ExactName, shown: Timestamp)?
    var lastEnded: Timestamp?
  }

  fileprivate struct Step: Hashable {
    var from: ExactName
    var to: ExactName
  }

  fileprivate struct Visits {
    var count: UInt64 = 0
    /// The visits with a touch, whether its waiting time is known or not.
    var touched: UInt64 = 0
    var firstTouches = PauseBins.none
    var pauses = PauseBins.none
  }

  private struct LastTouch {
    /// The place of its display in `paths`.
    let display: Int
    let began: Timestamp
    let ended: Timestamp
  }

  private let began: Timestamp
  private let funnels: [Funnel]
  /// The screens of each display. An array: with so few displays, comparing names takes less than
  /// hashing one.
  private var paths: [(display: ExactName, path: Path)] = []
  private var stepCount = 0
  /// The changes that count only if another touch ends after them.
  private var pending: [(display: ExactName, screen: ExactName, from: Timestamp)] = []
  /// The last touch that is certainly a person's, and the last touch that may be a ghost.
  private var lastTouch: LastTouch?
  private var lastDoubtful: LastTouch?
  /// Whether there were masked touches.
  private var hasMasked = false
  /// The masks that were replaced during the session.
  private var formerMasks: [Masks] = []
  private static let maskLimit = 32
  /// False if the session must not be counted, because some fact about it is unknown.
  private(set) var isKnown = true

  init(began: Timestamp, funnels: [Funnel]) {
    self.began = began
    self.funnels = funnels
  }

  /// Excludes the session, because some fact about it is unknown.
  mutating func giveUp() {
    isKnown = false
    (paths, pending) = ([], [])
  }

  /// Returns the place of a display in `paths`.
  private mutating func place(of display: ExactName) -> Int {
    if let known = paths.indices.first(where: { paths[$0].display == display }) { return known }
    paths.append((display, Path(progress: funnels.map { _ in 0 })))
    return paths.count - 1
  }

  /// Records that a display showed a screen from a time on. Call it in chronological order for each
  /// display.
  mutating func show(_ screen: String, on display: String, from time: Timestamp) {
    guard isKnown else { return }
    guard pending.count < Self.limit else { return giveUp() }
    pending.append((ExactName(display), ExactName(screen), time))
  }

  /// Adds a touch that has ended, and that is not masked.
  mutating func add(_ touch: Touch) {
    guard isKnown else { return }
    let display = place(of: ExactName(touch.display))
    paths[display].path.add(touch, sessionBegan: began)
    let last = LastTouch(display: display, began: touch.began, ended: touch.ended)
    // If the touch proves to be a ghost, the earlier changes were not seen by a person.
    guard touch.isKnown else { return lastDoubtful = last }
    if last.ended >= lastTouch?.ended ?? last.ended { lastTouch = last }
    commit(until: last.began)
  }

  /// Records a masked touch. The counts use only its display.
  mutating func noteMasked(on display: String) {
    guard isKnown else { return }
    paths[place(of: ExactName(display))].path.wasTouched = true
    hasMasked = true
  }

  /// Records that masks are replaced. Waiting times on formerly masked screens are not counted,
  /// because they could reveal the times of masked touches.
  mutating func noteReplaced(_ masks: Masks) {
    guard !masks.isEmpty, !formerMasks.contains(masks) else { return }
    guard formerMasks.count < Self.maskLimit else { return giveUp() }
    formerMasks.append(masks)
  }

  /// Returns the counts.
  /// - Parameters:
  ///   - reason: the reason why the session ended.
  ///   - end: the time at which it ended; for an idle session, the last touch.
  ///   - isOneTouch: whether it had a single touch, masked or not.
  ///   - masks: the masks at the end.
  /// - Returns: nil if some fact about the session is unknown, or there was no touch.
  mutating func finish(
    _ reason: SessionEnd, at end: Timestamp, isOneTouch: Bool = false, masks: Masks = Masks()
  ) -> FlowCounts? {
    let last = lastTouch ?? (hasMasked ? nil : lastDoubtful)
    guard isKnown, last != nil || hasMasked else { return nil }
    if lastTouch == nil, let last { paths[last.display].path.wasTouched = true }
    commit(until: lastLook(after: last, reason, end))
    guard isKnown else { return nil }
    var counts = FlowCounts(sessions: 1)
    let touched = paths.filter(\.path.wasTouched)
    // If all touches were masked, the display is certain only if there is just one.
    let lastDisplay =
      last.map { paths[$0.display].display } ?? (touched.count == 1 ? touched[0].display : nil)
    for (display, path) in touched {
      let isLast = display == lastDisplay
      counts.add(
        path, of: display.text, exit: isLast ? reason : nil, isOneTouch: isLast && isOneTouch
      ) { screen in
        masks.concern(screen, on: display.text)
          || formerMasks.contains { $0.concern(screen, on: display.text) }
      }
    }
    for (index, funnel) in funnels.enumerated() {
      let most = touched.map { $0.path.progress[index] }.max() ?? 0
      counts.funnels.append(
        FunnelCounts(funnel, reached: funnel.screens.indices.map { $0 < most ? 1 : 0 }))
    }
    return counts.sorted
  }

  /// The last time at which the person looked at the screen, as far as known. It does not depend on
  /// the times of masked touches, except that an idle session ends with its last touch.
  private func lastLook(
    after touch: LastTouch?, _ reason: SessionEnd, _ end: Timestamp
  ) -> Timestamp {
    // The end of the session, which is its last touch of any kind, is stored anyway. The time of
    // the last touch in a mask is not.
    if reason == .idle { return (hasMasked ? end : touch?.ended ?? end) + Self.attention }
    let farewell = end + -Self.farewell
    guard let touch, !hasMasked else { return farewell }
    return min(touch.ended + Self.attention, max(touch.began, farewell))
  }

  /// Counts the changes up to a time.
  private mutating func commit(until time: Timestamp) {
    guard pending.contains(where: { $0.from <= time }) else { return }
    for change in pending where change.from <= time {
      let isNew = paths[place(of: change.display)].path.show(change.screen, funnels)
      if isNew { stepCount += 1 }
    }
    pending = pending.filter { $0.from > time }
    if stepCount > Self.limit { giveUp() }
  }
}

extension FlowTally.Path {
  /// - Returns: whether this change is the first of its kind.
  fileprivate mutating func show(_ screen: ExactName, _ funnels: [Funnel]) -> Bool {
    if current == screen { return false }
    let former = current
    current = screen
    for (index, funnel) in funnels.enumerated() where progress[index] < funnel.screens.count {
      if screen == funnel.screens[progress[index]] { progress[index] += 1 }
    }
    guard let former else {
      entry = screen
      return false
    }
    screens[screen, default: .init()].count += 1
    let step = FlowTally.Step(from: former, to: screen)
    steps[step, default: 0] += 1
    return steps[step] == 1
  }

  fileprivate mutating func add(_ touch: FlowTally.Touch, sessionBegan: Timestamp) {
    if touch.isKnown { wasTouched = true }
    guard let shown = touch.shown else {
      lastEnded = nil
      return
    }
    let screen = ExactName(touch.screen)
    if let visit, visit.shown == shown {
      if touch.isKnown, let lastEnded, touch.began > lastEnded {
        screens[screen, default: .init()].pauses[PauseBins.bin(of: touch.began - lastEnded)] += 1
      }
      lastEnded = touch.isKnown ? max(lastEnded ?? touch.ended, touch.ended) : nil
      return
    }
    // A finger that rested on an earlier screen gives no waiting time for the current one.
    if let visit, visit.shown > shown { return }
    leave()
    visit = (screen, shown)
    lastEnded = touch.isKnown ? touch.ended : nil
    guard shown > sessionBegan else { return }
    screens[screen, default: .init()].touched += 1
    guard touch.isKnown else { return }
    screens[screen]?.firstTouches[PauseBins.bin(of: touch.began - shown)] += 1
  }

  /// Records that the screen of the last touch has disappeared.
  fileprivate mutating func leave() {
    guard let visit, lastEnded != nil else { return }
    screens[visit.screen, default: .init()].pauses[PauseBins.count] += 1
  }
}

extension FlowCounts {
  /// Adds the screens of one display.
  /// - Parameter exit: the reason why the session ended; nil if it did not end on this display.
  fileprivate mutating func add(
    _ path: FlowTally.Path, of display: String, exit: SessionEnd?, isOneTouch: Bool,
    hadMask: (_ screen: String) -> Bool
  ) {
    var path = path
    path.leave()
    for (step, times) in path.steps {
      steps.append(
        FlowStep(
          display: display, from: step.from.text, to: step.to.text, times: times, sessions: 1))
    }
    let seen = Set(path.screens.keys).union([path.entry].compactMap(\.self))
    for name in seen {
      var screen = ScreenFlow(display: display, screen: name.text)
      let visits = path.screens[name] ?? .init()
      screen.sessions = 1
      screen.entries = name == path.entry ? 1 : 0
      screen.visits = max(visits.count, visits.touched)
      // If touches are masked, waiting times are unknown.
      if !hadMask(name.text) {
        screen.firstTouches = visits.firstTouches
        screen.firstTouches[PauseBins.count] = screen.visits - visits.touched
        screen.pauses = visits.pauses
      }
      if let exit, name == path.current, let reason = SessionEnd.allCases.firstIndex(of: exit) {
        screen.exits[reason] = 1
        screen.oneTouchSessions = isOneTouch ? 1 : 0
      }
      screens.append(screen)
    }
  }
}
