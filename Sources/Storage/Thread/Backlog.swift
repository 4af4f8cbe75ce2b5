internal import TouchModel

/// What the storage thread has still to do.
///
/// However slow the disk, it stays small: of each session there is one record, the newest head with
/// the newest of every view and grid that changed. Ended sessions that cannot be written add up while
/// a disk stays full; beyond `limit` the oldest of them are given up, rather than all of memory.
struct Backlog {
  private var waiting: [Int64: SessionRecord] = [:]
  /// The keys of `waiting` as they came. Apart from the records, because the first of them goes often
  /// while a disk stays full, and all others then move.
  private var order: [Int64] = []
  private(set) var ghosts: [(day: Day, tallies: [GhostTally])] = []
  private(set) var houseKeeping: HouseKeeping?
  private(set) var forgettings: [ForgettingTask] = []
  /// Somebody asks: the sessions that run are to be in their own rows, not in checkpoints.
  var isAsked = false
  /// What the records take of memory, about.
  private(set) var bytes = 0

  struct HouseKeeping: Equatable {
    var keepSessions: Duration?
    var maxSize: Int64?
  }

  struct ForgettingTask {
    var what: Forgetting
    /// Sessions of later numbers came later.
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

  /// In the order in which their sessions came.
  var records: [SessionRecord] { order.compactMap { waiting[$0] } }

  /// Takes the same time however many wait.
  mutating func add(_ record: SessionRecord) {
    bytes -= waiting[record.id]?.bytes ?? 0
    if waiting[record.id]?.update(with: record) == nil {
      waiting[record.id] = record
      order.append(record.id)
    }
    bytes += waiting[record.id]?.bytes ?? 0
  }

  mutating func add(_ houseKeeping: HouseKeeping) { self.houseKeeping = houseKeeping }

  mutating func add(_ forgetting: ForgettingTask) { forgettings.append(forgetting) }

  /// They wait no longer.
  mutating func takeForgettings() -> [ForgettingTask] {
    defer { forgettings = [] }
    return forgettings
  }

  /// What was forgotten is not to be written any more.
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

  /// Adds what came while this was being worked on.
  mutating func add(_ newer: Backlog) {
    for record in newer.records { add(record) }
    for (day, tallies) in newer.ghosts { add(tallies, day: day) }
    houseKeeping = newer.houseKeeping ?? houseKeeping
    forgettings += newer.forgettings
    isAsked = isAsked || newer.isAsked
  }

  /// Gives up ended sessions, oldest first, until no more than `limit` bytes wait. The session that
  /// runs is never given up: its later records would not fit the ones before.
  /// - Returns: the ids of those given up.
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
  /// About: the counters, which are nearly all of a session that was used, and enough for the rest
  /// that sessions without a touch are bounded, too.
  var bytes: Int {
    1024 + tags.reduce(0) { $0 + 64 + $1.key.utf8.count + $1.value.utf8.count }
      + changedViews.reduce(0) { $0 + 256 + 512 * $1.placements.count }
      + changedGrids.reduce(0) { $0 + 256 + $1.counters.bytes.count }
  }

  /// Takes over a later record of the same session: its head, its views and its grids; what it does
  /// not mention stays.
  mutating func update(with newer: SessionRecord) {
    var views = changedViews
    var viewPlaces = Dictionary(
      views.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { $1 })
    for view in newer.changedViews {
      if let place = viewPlaces[view.key] {
        views[place] = view
      } else {
        viewPlaces[view.key] = views.count
        views.append(view)
      }
    }
    var grids = changedGrids
    var gridPlaces = Dictionary(
      grids.enumerated().map { (GridPlace(key: $1.key, layer: $1.layer), $0) },
      uniquingKeysWith: { $1 })
    for grid in newer.changedGrids {
      let name = GridPlace(key: grid.key, layer: grid.layer)
      if let place = gridPlaces[name] {
        grids[place] = grid
      } else {
        gridPlaces[name] = grids.count
        grids.append(grid)
      }
    }
    self = newer
    changedViews = views
    changedGrids = grids
  }

  private struct GridPlace: Hashable {
    var key: GridKey
    var layer: Layer
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
