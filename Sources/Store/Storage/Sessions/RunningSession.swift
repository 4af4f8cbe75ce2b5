internal import TouchModel

/// The state of a running session on the disk, in its rows and in checkpoints. Only later changes
/// need to be written.
struct RunningSession {
  /// The complete session.
  private(set) var whole: SessionRecord
  /// The changes that are in checkpoints only; nil if there are none.
  private(set) var inCheckpoints: SessionRecord?
  /// The last activity outside of masks that the rows include.
  private var lastWritten: WallTime
  private var checkpoints = 0
  private var bytes = 0

  /// - Parameter record: the session as its rows were written.
  init(_ record: SessionRecord) {
    whole = record
    lastWritten = record.lastUnmasked ?? record.lastActive
  }

  /// Touches in masks must not influence whether rows are written, because the order of rows would
  /// reveal them. So neither times nor sizes depend on them.
  /// - Returns: the checkpoint; nil if the rows must be written, because a limit is exceeded, or
  ///   because a checkpoint cannot hold the changes (of tags, for example).
  func checkpoint(_ record: SessionRecord) -> (bytes: [UInt8], counted: Int)? {
    guard record.began == whole.began, record.tags == whole.tags, record.totals.isBalanced,
      record.lastActive >= whole.lastActive, whole.lastActive >= whole.began,
      (record.lastUnmasked ?? record.lastActive).milliseconds - lastWritten.milliseconds
        <= CheckpointLimits.maxGap,
      checkpoints < CheckpointLimits.count
    else { return nil }
    var checkpoint = Checkpoint(record, place: checkpoints + 1)
    let head = checkpoint.count
    let limit = CheckpointLimits.bytes - CheckpointLimits.headBytes + head
    guard addCounts(record.changedCounts, to: &checkpoint, upTo: limit) else { return nil }
    var blocks = whole.blocks
    var left = record.changedGrids.count
    for view in record.changedViews {
      let known = whole.changedViews.first { $0.key == view.key }
      let grids = record.changedGrids.filter { $0.key == view.key }
      checkpoint.add(
        view, hasLists: !(known.map { Self.hasSameLists($0, view) } ?? false), layers: grids.count)
      for grid in grids {
        let former = whole.changedGrids.first { $0.key == grid.key && $0.layer == grid.layer }
        let geometry = grid.key.geometry
        guard grid.counters.count == geometry.columns * geometry.rows else { return nil }
        if former == nil { blocks += grid.counters.count }
        checkpoint.add(grid.layer, grid.counters, since: former?.counters, upTo: limit)
      }
      left -= grids.count
    }
    let sealed = checkpoint.sealed()
    guard left == 0, blocks <= Checkpoint.blockLimit, sealed.count <= limit,
      bytes + sealed.count - head <= CheckpointLimits.totalBytes
    else { return nil }
    return (sealed, sealed.count - head)
  }

  /// - Returns: false if a checkpoint cannot hold these counts: two subjects have the same checksum.
  private func addCounts(
    _ changed: [SubjectCounts], to checkpoint: inout Checkpoint, upTo limit: Int
  ) -> Bool {
    checkpoint.add(subjects: changed.count)
    if changed.isEmpty { return true }
    let known = Dictionary(
      whole.changedCounts.map { (Checkpoint.number(of: $0.subject), $0) }, uniquingKeysWith: { $1 })
    guard known.count == whole.changedCounts.count else { return false }
    var new: Set<UInt64> = []
    for counts in changed {
      let number = Checkpoint.number(of: counts.subject)
      let former = known[number]
      guard former.map({ $0.subject == counts.subject }) ?? new.insert(number).inserted,
        former?.numbers.count ?? counts.numbers.count == counts.numbers.count
      else { return false }
      checkpoint.add(counts, since: former, upTo: limit)
    }
    return known.count + new.count <= Checkpoint.subjectLimit
  }

  private static func hasSameLists(_ one: ScreenView, _ other: ScreenView) -> Bool {
    one.masks == other.masks && one.placements == other.placements
      && zip(one.placements, other.placements).allSatisfy {
        $0.device.hasSameBytes(as: $1.device) && $0.display.hasSameBytes(as: $1.display)
      }
  }

  /// Records that a checkpoint of this record is on the disk.
  /// - Parameter count: the value that `checkpoint` returned.
  mutating func add(_ record: SessionRecord, counted count: Int) {
    checkpoints += 1
    bytes += count
    if inCheckpoints?.update(with: record) == nil { inCheckpoints = record }
    whole.update(with: record)
  }

  /// Records that the rows of this record are on the disk, including all changes of checkpoints.
  mutating func markWritten(_ record: SessionRecord) {
    (checkpoints, bytes, inCheckpoints, lastWritten) = (
      0, 0, nil, record.lastUnmasked ?? record.lastActive
    )
    whole.update(with: record)
  }
}
