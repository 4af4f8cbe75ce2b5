internal import TouchModel

/// The work that waits for the storage thread.
///
/// It stays small even if the disk is slow: each session has one record, with its newest totals and
/// the newest state of every view and grid that changed. While the disk is full, ended sessions
/// accumulate. Beyond a limit the oldest of them are discarded, to save memory.
struct Backlog {
  private var waiting: [Int64: SessionRecord] = [:]
  /// The keys of `waiting`, in order of arrival. They are separate from the records, because while
  /// the disk is full the first one is often removed, which moves all others.
  private var order: [Int64] = []
  private(set) var ghosts: [(day: Day, tallies: [GhostTally])] = []
  private(set) var housekeeping: Housekeeping?
  private(set) var forgettings: [ForgettingTask] = []
  /// Whether a query waits for running sessions to be in their own rows instead of in checkpoints.
  var appliesCheckpoints = false
  /// The estimated memory of the records, in bytes.
  private(set) var bytes = 0

  struct Housekeeping: Equatable {
    var keepSessions: Duration?
    var maxSize: Int64?
  }

  struct ForgettingTask {
    var what: ForgetSelection
    /// Only sessions with ids below this are removed. The others began after the command.
    var limit: Int64
    var done: @Sendable (Result<Forgotten, StoreError>) -> Void

    func concerns(_ record: SessionRecord) -> Bool {
      guard record.id < limit else { return false }
      return switch what {
      case .span(let span): span.contains(record.began)
      case .session(let id): record.id == id
      }
    }
  }

  /// The records, in the order in which their sessions arrived.
  var records: [SessionRecord] { order.compactMap { waiting[$0] } }

  /// Adds a record. The time does not depend on the number of waiting records.
  mutating func add(_ record: SessionRecord) {
    bytes -= waiting[record.id]?.bytes ?? 0
    if waiting[record.id]?.update(with: record) == nil {
      waiting[record.id] = record
      order.append(record.id)
    }
    bytes += waiting[record.id]?.bytes ?? 0
  }

  mutating func add(_ housekeeping: Housekeeping) { self.housekeeping = housekeeping }

  mutating func add(_ forgetting: ForgettingTask) { forgettings.append(forgetting) }

  /// Removes and returns the waiting tasks of forgetting.
  mutating func takeForgettings() -> [ForgettingTask] {
    defer { forgettings = [] }
    return forgettings
  }

  /// Removes the records of forgotten sessions, so that they are not written.
  mutating func drop(_ forgotten: ForgettingTask) {
    for record in records where forgotten.concerns(record) { drop(record.id) }
  }

  mutating func drop(_ session: Int64) {
    bytes -= waiting.removeValue(forKey: session)?.bytes ?? 0
    order.removeAll { $0 == session }
  }

  mutating func add(_ tallies: [GhostTally], day: Day) {
    guard let index = ghosts.lastIndex(where: { $0.day == day }) else {
      return ghosts.append((day, tallies))
    }
    for tally in tallies { ghosts[index].tallies.merge(tally) }
  }

  /// Adds the work that was submitted while this backlog was being processed.
  mutating func add(_ newer: Backlog) {
    for record in newer.records { add(record) }
    for (day, tallies) in newer.ghosts { add(tallies, day: day) }
    housekeeping = newer.housekeeping ?? housekeeping
    forgettings += newer.forgettings
    appliesCheckpoints = appliesCheckpoints || newer.appliesCheckpoints
  }

  /// Discards ended sessions, oldest first, until at most `limit` bytes wait, or until no session
  /// remains that may be discarded. Keeps running sessions, because their later records need the
  /// earlier ones, and the session that arrived last.
  /// - Returns: the ids of the discarded sessions.
  mutating func shrink(to limit: Int) -> [Int64] {
    var gone: [Int64] = []
    while bytes > limit, let index = order.dropLast().firstIndex(where: { waiting[$0]?.end != nil })
    {
      let id = order.remove(at: index)
      bytes -= waiting.removeValue(forKey: id)?.bytes ?? 0
      gone.append(id)
    }
    return gone
  }
}

extension SessionRecord {
  /// The estimated memory in bytes: the counters, which are most of a used session, and a fixed
  /// amount, so that sessions without touches are limited, too.
  var bytes: Int {
    1024 + tags.reduce(0) { $0 + 64 + $1.key.utf8.count + $1.value.utf8.count }
      + changedViews.reduce(0) { $0 + 256 + 512 * $1.placements.count }
      + changedGrids.reduce(0) { $0 + 256 + $1.counters.bytes.count }
      + (changedCounts + dayCounts).reduce(0) {
        $0 + 256 + $1.subject.key.utf8.count + 8 * $1.numbers.count
      }
  }

  /// Merges a later record of the same session, which replaces everything except the views, grids
  /// and counts that it does not contain.
  mutating func update(with newer: SessionRecord) {
    var merged = newer
    merged.changedViews = changedViews.merging(newer.changedViews) { $0.key }
    merged.changedGrids = changedGrids.merging(newer.changedGrids) {
      GridPlace(key: $0.key, layer: $0.layer)
    }
    merged.changedCounts = changedCounts.merging(newer.changedCounts) { $0.subject }
    if newer.dayCounts.isEmpty { merged.dayCounts = dayCounts }
    self = merged
  }

  private struct GridPlace: Hashable {
    var key: GridKey
    var layer: Layer
  }
}

extension Array {
  /// Returns the elements, with those replaced that have the key of a newer one, and then the other
  /// newer ones.
  fileprivate func merging<Key: Hashable>(
    _ newer: [Element], by key: (Element) -> Key
  ) -> [Element] {
    var merged = self
    var places = Dictionary(enumerated().map { (key($1), $0) }, uniquingKeysWith: { $1 })
    for element in newer {
      if let place = places[key(element)] {
        merged[place] = element
      } else {
        places[key(element)] = merged.count
        merged.append(element)
      }
    }
    return merged
  }
}

extension [GhostTally] {
  fileprivate mutating func merge(_ tally: GhostTally) {
    let same = firstIndex {
      $0.device.hasSameBytes(as: tally.device) && $0.x == tally.x && $0.y == tally.y
        && $0.periodMilliseconds == tally.periodMilliseconds
    }
    guard let same else { return append(tally) }
    let (sum, overflows) = self[same].touches.addingReportingOverflow(tally.touches)
    if overflows { append(tally) } else { self[same].touches = sum }
  }
}
