internal import ScreenNaming
internal import TouchModel

/// What all sources see, and what screens follow from that: the first source that has a name for a display names its
/// screen.
struct ShownScreens {
  /// One thing to be told to the daemon.
  struct Change: Equatable {
    /// nil: all displays.
    var display: String?
    var name: String
    var isMasked: Bool
    /// On `CLOCK_MONOTONIC`, in microseconds.
    var time: Int64
    /// What it is called after; nil where nothing is shown.
    var sighting: Sighting?
  }

  private struct Named {
    var name: String
    var isMasked: Bool
    var sighting: Sighting
    /// When this page, or this window, was seen first: its title may have changed since.
    var since: Int64
    /// The source sees something else by now, of which it says nothing.
    var isStale = false
  }

  private var names: ScreenNames
  private var seen: [[String?: Named]]
  /// What was said last.
  private var said: [String?: Change] = [:]

  init(names: ScreenNames, sources: Int) {
    self.names = names
    seen = Array(repeating: [:], count: sources)
  }

  /// More names would have been needed.
  var isFull: Bool { names.isFull }

  /// - Returns: what is to be told, in this order.
  mutating func take(_ news: SeenScreen, from source: Int) -> [Change] {
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
      // What is masked by its title was so before the title came.
      if isMasked, isSamePage { time = since }
      seen[source][news.display] = Named(
        name: name, isMasked: isMasked, sighting: sighting, since: since)
    case .nothing: seen[source][news.display] = nil
    case .unknown:
      // What was masked may be shown still.
      if before?.isMasked != true { seen[source][news.display] = nil }
    }
    return changes(at: time)
  }

  /// A source has ended.
  mutating func end(_ source: Int, at time: Int64) -> [Change] {
    seen[source] = seen[source].filter { $0.value.isMasked }
    return changes(at: time)
  }

  /// All that holds, for a daemon that knows nothing, with the names of its masks.
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
    // What was masked may be shown still, though nobody sees it any more.
    said = before.filter { $0.value.isMasked && best($0.key) == nil }
    let kept = said.values.sorted { ($0.display ?? "") < ($1.display ?? "") }
    let told = changes(at: 0).map { change in
      var change = change
      change.time = before[change.display]?.time ?? before[nil]?.time ?? 0
      said[change.display] = change
      return change
    }
    return kept + told
  }

  private func best(_ display: String?) -> Named? {
    let known = seen.compactMap { $0[display] ?? $0[String?.none] }
    return known.first { !$0.isStale } ?? known.first
  }

  private mutating func changes(at time: Int64) -> [Change] {
    var changes: [Change] = []
    // The daemon goes by times: of two sources the later to be told may have seen it earlier.
    if let change = change(of: nil, at: max(time, said.values.map(\.time).max() ?? 0)) {
      said[nil] = change
      changes.append(change)
    }
    let isRenamed = !changes.isEmpty
    for display in Set(seen.flatMap(\.keys)).union(said.keys).compactMap({ $0 }).sorted() {
      let old = said[display]
      // Naming all displays has named this one as well.
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

  /// - Returns: nil where nothing is to be told.
  private func change(of display: String?, at time: Int64) -> Change? {
    let holds = said[display] ?? said[nil]
    guard let named = best(display) else {
      // Nobody has said anything; or what was masked may be shown still.
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
