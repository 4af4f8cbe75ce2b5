internal import ScreenNaming

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
  }

  /// The daemon's word for a screen that nobody names.
  static let unknown = "default"

  private var names: ScreenNames
  /// By source; what is ignored says nothing.
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
    let hadName = seen[source][news.display] != nil
    switch news.content {
    case .sighting(let sighting):
      switch names.name(sighting) {
      case .screen(let name, let isMasked):
        seen[source][news.display] = Named(name: name, isMasked: isMasked, sighting: sighting)
      case .ignored:
        // Where no other source knows better the screen stays.
        guard seen.indices.contains(where: { $0 != source && best($0, news.display) != nil })
        else { return [] }
        seen[source][news.display] = nil
      }
    case .nothing:
      guard hadName else { return [] }
      seen[source][news.display] = nil
    }
    return changes(at: news.time)
  }

  /// All that holds, for a daemon that knows nothing; with other names, where they are given.
  mutating func everything(names: ScreenNames? = nil) -> [Change] {
    if let names {
      self.names = names
      for source in seen.indices {
        for (display, named) in seen[source] {
          guard case .screen(let name, let isMasked) = self.names.name(named.sighting) else {
            continue
          }
          seen[source][display] = Named(name: name, isMasked: isMasked, sighting: named.sighting)
        }
      }
    }
    let before = said
    // What was masked may be shown still, though nobody sees it any more.
    said = before.filter { $0.value.isMasked && best($0.key) == nil }
    let kept = said.values.sorted { ($0.display ?? "") < ($1.display ?? "") }
    return kept
      + changes(at: 0).map { change in
        var change = change
        change.time = before[change.display]?.time ?? 0
        return change
      }
  }

  private func best(_ source: Int, _ display: String?) -> Named? {
    seen[source][display] ?? seen[source][String?.none]
  }

  private func best(_ display: String?) -> Named? {
    seen.indices.lazy.compactMap { best($0, display) }.first
  }

  private mutating func changes(at time: Int64) -> [Change] {
    var displays = Set(seen.flatMap(\.keys)).union(said.keys).compactMap { $0 }.sorted()
      .map(String?.some)
    displays.insert(nil, at: 0)
    var changes: [Change] = []
    for display in displays {
      let named = best(display)
      let old = said[display]
      guard let named else {
        // Nobody knows what is shown any more. What was masked may be shown still.
        guard let old, old.name != Self.unknown, !old.isMasked else { continue }
        let change = Change(display: display, name: Self.unknown, isMasked: false, time: time)
        said[display] = change
        changes.append(change)
        continue
      }
      // Naming all displays has named this one as well.
      let holds = changes.first?.display == .none && !changes.isEmpty ? changes.first : old
      let change = Change(
        display: display, name: named.name, isMasked: named.isMasked, time: time,
        sighting: named.sighting)
      said[display] = change
      if holds?.name != named.name { changes.append(change) }
    }
    return changes
  }
}
