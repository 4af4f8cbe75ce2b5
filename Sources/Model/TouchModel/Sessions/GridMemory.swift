/// The memory limits of grids.
///
/// The 256 screens of a session on a 4K display take 24 MiB while no counter exceeds 255. A screen
/// of the largest display (2^20 blocks) takes 3 MiB or more, so sixty of them would take 180 MiB.
/// The storage thread keeps a second copy of the written state of open sessions, so the total is 64
/// MiB. Sessions that wait for the disk may take 64 MiB as well, which is enough for an ended
/// session and the running one together.
public enum GridMemory {
  /// The maximum size of the counters of all open sessions together, in bytes.
  public static let limit = 32 << 20
  /// The size, in bytes, above which only grids of the screen `SessionRecorder.otherScreen` are
  /// created or widened. The rest has room for the grids of that screen on the largest display,
  /// with counters of 2, 2 and 4 bytes.
  static let namedLimit = limit - (8 << 20)
}

extension Counters {
  /// The size of `count` counters, in bytes, if the largest is `value`.
  static func byteCount(of count: Int, holding value: UInt64) -> Int {
    count * width(toHold: value)
  }
}

extension TouchTrace {
  /// The maximum size of a layer's grid, in bytes, once this touch is added.
  /// - Parameter grid: the grid so far; nil if there is none.
  func byteCount(adding layer: Layer, to grid: Counters?) -> Int {
    var highest: UInt64 = 0
    var sum: UInt64 = 0
    switch layer {
    case .taps: (highest, sum) = (grid?[firstBlock] ?? 0, 1)
    case .trail, .dwell:
      // A block may be visited several times, so add all visits to the highest counter.
      for visit in visits {
        highest = max(highest, grid?[visit.block] ?? 0)
        sum += layer == .trail ? visit.entries : visit.milliseconds
      }
    }
    let cells = placement.geometry.columns * placement.geometry.rows
    return max(
      grid?.bytes.count ?? 0, Counters.byteCount(of: cells, holding: highest + sum))
  }
}

extension GridKey {
  /// The order of keys: by the bytes of screen and display, as SQLite sorts them, then by geometry.
  public static func isBefore(_ left: GridKey, _ right: GridKey) -> Bool {
    if !left.screen.hasSameBytes(as: right.screen) {
      return left.screen.hasBytesBefore(right.screen)
    }
    if !left.display.hasSameBytes(as: right.display) {
      return left.display.hasBytesBefore(right.display)
    }
    return left.geometry.order.lexicographicallyPrecedes(right.geometry.order)
  }
}

extension DisplayGeometry {
  fileprivate var order: [Double] {
    [Double(pixelWidth), Double(pixelHeight), scale, Double(rotation.rawValue), Double(blockSize)]
  }
}
