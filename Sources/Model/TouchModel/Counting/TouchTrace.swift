/// The values that a touch will add to the grids of its screen. They are kept until the screen is
/// known.
struct TouchTrace: Sendable {
  /// A stay of the touch in one block. It is small, because allocating and erasing a list takes the
  /// longer the larger it is.
  struct Stay: Sendable {
    var block: Int32
    var milliseconds: UInt32

    var visit: Visit {
      Visit(block: Int(block), entries: 1, milliseconds: UInt64(milliseconds))
    }
  }

  /// One or more stays in a block.
  struct Visit: Sendable {
    var block: Int
    /// The number of times that the block was entered.
    var entries: UInt64
    var milliseconds: UInt64
  }

  let touch: TouchID
  private let shared: SharedPlacement
  var placement: Placement { shared.placement }
  var locator: Locator { shared.locator }
  let began: Timestamp
  let rawX: Int32
  let rawY: Int32
  /// Whether the raw position has ever changed since the touch-down.
  private(set) var hasMoved = false
  private(set) var clampedSamples: UInt64 = 0
  /// The extent of the clamped samples.
  private(set) var clampedExtent: RawExtent?
  /// The stays before the current one, without those in `mergedVisits`.
  private(set) var formerStays: [Stay] = []
  /// The visits of earlier stays, and those that are too long for a `Stay`.
  private(set) var mergedVisits: [Visit] = []
  /// The time in all of them.
  private var formerMilliseconds: UInt64 = 0
  private var currentBlock: Int

  /// The path of the touch, for masks.
  private(set) var path: MaskPath
  /// The values that the touch will add to the counts of its panel.
  private(set) var panel: PanelTrace

  private var lastBlock: Block
  private var lastX: Int32
  private var lastY: Int32
  private var lastTime: Timestamp
  /// The number of stays above which those in one block are merged. Without merging, a finger that
  /// draws for an hour would need more memory than the grid that it draws on.
  private var mergeLimit: Int { max(1024, mergedVisits.count) }

  /// The block where the touch began.
  let firstBlock: Int

  /// - Parameter candidates: the masks that the touch may enter.
  init(
    touch: TouchID, at time: Timestamp, rawX: Int32, rawY: Int32, placement: SharedPlacement,
    candidates: [Masks.Candidate] = []
  ) {
    self.touch = touch
    shared = placement
    self.rawX = rawX
    self.rawY = rawY
    lastX = rawX
    lastY = rawY
    began = time
    lastTime = time
    let location = shared.locator.locate(rawX: rawX, rawY: rawY)
    path = MaskPath(at: location.point, candidates: candidates)
    panel = PanelTrace(shared.lines, rawX: rawX, rawY: rawY)
    lastBlock = location.block
    firstBlock = shared.placement.geometry.index(of: location.block)
    currentBlock = firstBlock
    if location.isClamped { noteClamped(rawX, rawY) }
  }

  private mutating func noteClamped(_ rawX: Int32, _ rawY: Int32) {
    clampedSamples += 1
    if clampedExtent == nil { clampedExtent = RawExtent(x: rawX, y: rawY) }
    clampedExtent?.include(x: rawX, y: rawY)
  }

  /// The position of the touch-down, in points of the display.
  var point: Point { shared.locator.locate(rawX: rawX, rawY: rawY).point }

  /// The time from the first to the last sample, in µs.
  var duration: Int64 { lastTime - began }

  /// Whether the touch neither moved nor lasted longer than a ghost may (`GhostDetector`).
  var isStill: Bool { !hasMoved && duration <= GhostDetector.longestDuration }

  /// The last visit. Only the whole duration is rounded, so that the milliseconds of all visits add
  /// up to it.
  var lastVisit: Visit {
    Visit(block: currentBlock, entries: 1, milliseconds: milliseconds - formerMilliseconds)
  }

  /// All visits, in no order.
  var visits: [Visit] { mergedVisits + formerStays.map(\.visit) + [lastVisit] }

  /// Adds a sample. The time since the previous sample is added to that sample's block.
  mutating func extend(to time: Timestamp, rawX: Int32, rawY: Int32) {
    let interval = time - lastTime
    stay(until: time)
    // A touch-up repeats the last position; it is not another sample.
    guard rawX != lastX || rawY != lastY else { return }
    panel.move(
      by: Int64(rawX) - Int64(lastX), Int64(rawY) - Int64(lastY), toX: rawX, rawY, after: interval)
    lastX = rawX
    lastY = rawY
    hasMoved = true
    let location = shared.locator.locate(rawX: rawX, rawY: rawY)
    if location.isClamped { noteClamped(rawX, rawY) }
    if location.block != lastBlock { leave(to: location) }
    path.move(to: location.point)
  }

  /// Leaves the current block. Not inlined, because a finger usually stays in its block.
  @inline(never)
  private mutating func leave(to location: Placement.Location) {
    if formerStays.isEmpty { formerStays.reserveCapacity(128) }
    let (geometry, last, visit) = (shared.placement.geometry, path.last, lastVisit)
    formerMilliseconds += visit.milliseconds
    var stay = UInt32(exactly: visit.milliseconds).map {
      Stay(block: Int32(visit.block), milliseconds: $0)
    }
    if stay == nil { mergedVisits.append(visit) }
    let most =
      abs(location.block.column - lastBlock.column) + abs(location.block.row - lastBlock.row)
    formerStays.append(addingCapacity: most) { stays in
      geometry.walk(from: last, in: lastBlock, to: location.point, in: location.block) { block in
        if let stay { stays.append(stay) }
        stay = Stay(block: Int32(block), milliseconds: 0)
      }
    }
    currentBlock = geometry.index(of: location.block)
    lastBlock = location.block
    if formerStays.count >= mergeLimit { mergeStays() }
  }

  /// Replaces the masks that the touch may enter.
  mutating func adopt(_ masks: borrowing Masks, replacing former: borrowing Masks) {
    path.adopt(masks.candidates(on: placement.display), replacing: former)
  }

  /// Extends the touch in the block of the last sample until `time`.
  mutating func stay(until time: Timestamp) { lastTime = max(lastTime, time) }

  /// The whole duration.
  var milliseconds: UInt64 { UInt64(max(0, duration) / 1000) }

  /// Merges the former stays in each block.
  private mutating func mergeStays() {
    let all = (mergedVisits + formerStays.map(\.visit)).sorted { $0.block < $1.block }
    formerStays.removeAll(keepingCapacity: true)
    mergedVisits.removeAll(keepingCapacity: true)
    for visit in all {
      if let last = mergedVisits.indices.last, mergedVisits[last].block == visit.block {
        mergedVisits[last].entries += visit.entries
        mergedVisits[last].milliseconds += visit.milliseconds
      } else {
        mergedVisits.append(visit)
      }
    }
  }
}
