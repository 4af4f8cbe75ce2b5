internal import TouchModel

/// What is on the disk of a session that runs, by its rows and by checkpoints: of what comes next, only what is new
/// needs to be written down.
struct RunningSession {
  // After so much its rows are written again: checkpoints are read at a start, and those who read the database without
  // us do without them.
  /// Bytes of all checkpoints.
  private static let limit = 128 << 10
  /// Bytes of one: the rows would not take much more.
  static let largest = 8 << 10
  static let most = 60
  /// From one sign of somebody to another, in milliseconds: who touches seldom makes few checkpoints.
  private static let longest: Int64 = 300_000

  /// All of it.
  private(set) var whole: SessionRecord
  /// What its rows lack and checkpoints have; nil: nothing.
  private(set) var unsettled: SessionRecord?
  /// The last sign of somebody that the rows know.
  private var settled: WallTime
  private var checkpoints = 0
  private var bytes = 0

  /// - Parameter record: whose rows are written.
  init(_ record: SessionRecord) {
    whole = record
    settled = record.lastActive
  }

  /// - Returns: nil where the rows must be written: checkpoints have become many, or they would not say all.
  func checkpoint(_ record: SessionRecord) -> [UInt8]? {
    guard record.began == whole.began, record.tags == whole.tags, record.totals.balances,
      record.lastActive >= whole.lastActive, whole.lastActive >= whole.began,
      record.lastActive.milliseconds - settled.milliseconds <= Self.longest,
      checkpoints < Self.most
    else { return nil }
    var checkpoint = Checkpoint(record, place: checkpoints + 1)
    var blocks = whole.blocks
    var left = record.changedGrids.count
    for view in record.changedViews {
      let known = whole.changedViews.first { $0.key == view.key }
      let grids = record.changedGrids.filter { $0.key == view.key }
      checkpoint.add(
        view, hasLists: !(known.map { Self.hasSameLists($0, view) } ?? false),
        layers: grids.count)
      for grid in grids {
        let former = whole.changedGrids.first { $0.key == grid.key && $0.layer == grid.layer }
        let geometry = grid.key.geometry
        guard grid.counters.count == geometry.columns * geometry.rows else { return nil }
        if former == nil { blocks += grid.counters.count }
        checkpoint.add(grid.layer, grid.counters, since: former?.counters, upTo: Self.largest)
      }
      left -= grids.count
    }
    let sealed = checkpoint.sealed
    guard left == 0, blocks <= Checkpoint.blockLimit, sealed.count <= Self.largest,
      bytes + sealed.count <= Self.limit
    else { return nil }
    return sealed
  }

  private static func hasSameLists(_ one: ScreenView, _ other: ScreenView) -> Bool {
    one.masks == other.masks && one.placements == other.placements
      && zip(one.placements, other.placements).allSatisfy {
        $0.device.hasSameBytes(as: $1.device) && $0.display.hasSameBytes(as: $1.display)
      }
  }

  /// A checkpoint of this record is on the disk.
  mutating func add(_ record: SessionRecord, bytes count: Int) {
    checkpoints += 1
    bytes += count
    if unsettled?.update(with: record) == nil { unsettled = record }
    whole.update(with: record)
  }

  /// The rows of this record are on the disk, and all that was unsettled with them.
  mutating func settle(_ record: SessionRecord) {
    (checkpoints, bytes, unsettled, settled) = (0, 0, nil, record.lastActive)
    whole.update(with: record)
  }
}
