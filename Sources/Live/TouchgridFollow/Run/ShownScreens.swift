internal import TouchModel

/// The observations of all sources, and the screens that result from them: the first source that
/// has a name for a display names its screen.
struct ShownScreens {
  /// A change to be sent to the daemon.
  struct Change: Equatable {
    /// The display; nil for all displays.
    var display: String?
    var name: String
    var isMasked: Bool
    /// The time of the change on `CLOCK_MONOTONIC`, in µs; 0 for the time at which the daemon
    /// receives it.
    var time: Int64
    /// The observation behind the name; nil if nothing is shown.
    var sighting: Observation?
  }

  private struct Named {
    var name: String
    var isMasked: Bool
    var sighting: Observation
    /// The time at which this page was first observed, in µs on `CLOCK_MONOTONIC`; its title may
    /// have changed since. For a window, the time of the last observation.
    var since: Int64
    /// Whether the source now observes something that a rule ignores, so that this name is
    /// outdated.
    var isStale = false
  }

  private var names: ScreenNames
  private var seen: [[String?: Named]]
  /// The last change that was sent, by display.
  private var said: [String?: Change] = [:]

  init(names: ScreenNames, sources: Int) {
    self.names = names
    seen = Array(repeating: [:], count: sources)
  }

  /// Whether there were more screens than names.
  var isFull: Bool { names.isFull }

  /// Whether a page or a window has a mask.
  mutating func isMasked(_ sighting: Observation) -> Bool { names.maskedName(sighting) != nil }

  /// The last change that was sent for a display; nil if there was none.
  func shown(on display: String?) -> Change? { said[display] ?? said[nil] }

  /// The last change that was sent for a display, with the page or window that it shows now,
  /// because several pages may have the same name. nil if there was none.
  func current(on display: String?) -> Change? {
    guard var change = shown(on: display) else { return nil }
    if let named = best(display), named.name == change.name { change.sighting = named.sighting }
    return change
  }

  /// Applies an observation of a source.
  /// - Returns: The changes to send, in this order.
  mutating func update(_ news: ObservedScreen, from source: Int) -> [Change] {
    let before = seen[source][news.display]
    var time = news.time
    switch news.content {
    case .sighting(let sighting):
      guard case .screen(let name, let isMasked) = names.name(sighting, at: time) else {
        seen[source][news.display]?.isStale = true
        break
      }
      let isSamePage = sighting.url != nil && before?.sighting.url == sighting.url
      let since = isSamePage ? before?.since ?? time : time
      // A rule for titles masks the page only now, but the page was already shown before its title
      // arrived.
      if isMasked, isSamePage, before?.isMasked != true { time = since }
      seen[source][news.display] = Named(
        name: name, isMasked: isMasked, sighting: sighting, since: since)
    case .nothing: seen[source][news.display] = nil
    case .unknown:
      // A masked screen may still be shown.
      if before?.isMasked != true { seen[source][news.display] = nil }
    }
    return changes(at: time)
  }

  /// Forgets the screens of a source, because it has ended. Keeps masked screens, as they may still
  /// be shown.
  /// - Returns: The changes to send, in this order.
  mutating func removeSource(_ source: Int, at time: Int64) -> [Change] {
    seen[source] = seen[source].filter { $0.value.isMasked }
    return changes(at: time)
  }

  /// Returns all shown screens as changes, for a daemon that has just connected.
  /// - Parameter names: Replaces the current names. It includes the masks of this daemon.
  mutating func everything(names: ScreenNames) -> [Change] {
    self.names = names
    for source in seen.indices {
      for (display, named) in seen[source] {
        let answer = self.names.name(named.sighting, at: named.since)
        guard case .screen(let name, let isMasked) = answer else {
          continue
        }
        seen[source][display]?.name = name
        seen[source][display]?.isMasked = isMasked
      }
    }
    let before = said
    // A masked screen may still be shown, although no source observes it.
    said = before.filter { $0.value.isMasked && best($0.key) == nil }
    let kept = said.values.sorted { ($0.display ?? "") < ($1.display ?? "") }
    let changed = changes(at: 0).map { change in
      var change = change
      change.time = before[change.display]?.time ?? before[nil]?.time ?? 0
      said[change.display] = change
      return change
    }
    return kept + changed
  }

  private func best(_ display: String?) -> Named? {
    let known = seen.compactMap { $0[display] ?? $0[String?.none] }
    return known.first { !$0.isStale } ?? known.first
  }

  private mutating func changes(at time: Int64) -> [Change] {
    var changes: [Change] = []
    // The daemon orders changes by their times. A source that reports later may have observed
    // earlier, so no change gets an earlier time than the changes before it.
    if let change = change(of: nil, at: max(time, said.values.map(\.time).max() ?? 0)) {
      said[nil] = change
      changes.append(change)
    }
    let isRenamed = !changes.isEmpty
    for display in Set(seen.flatMap(\.keys)).union(said.keys).compactMap({ $0 }).sorted() {
      let old = said[display]
      // The new name for all displays has replaced the name of this display too.
      if isRenamed { said[display] = nil }
      let time = max(time, old?.time ?? 0, said[nil]?.time ?? 0)
      var change = change(of: display, at: time)
      if isRenamed, best(display) == nil, var old, old.isMasked {
        old.time = time
        change = old
      }
      guard let change else { continue }
      said[display] = change
      changes.append(change)
    }
    return changes
  }

  /// Returns the change to send for a display; nil if there is none.
  private func change(of display: String?, at time: Int64) -> Change? {
    let holds = said[display] ?? said[nil]
    guard let named = best(display) else {
      // There is nothing to reset if no name was sent, or if the screen is the initial one. A
      // masked screen may still be shown, so it stays.
      guard let holds, !holds.isMasked, holds.name != SessionRecorder.initialScreen else {
        return nil
      }
      return Change(
        display: display, name: SessionRecorder.initialScreen, isMasked: false, time: time)
    }
    guard holds?.name != named.name else { return nil }
    return Change(
      display: display, name: named.name, isMasked: named.isMasked, time: time,
      sighting: named.sighting)
  }
}
