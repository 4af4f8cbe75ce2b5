/// How much memory grids may take.
///
/// The 256 screens of a session on a 4K display take 24 MiB while no counter exceeds 255. A screen of the largest display
/// (2^20 blocks) takes 3 MiB and more, so sixty of them would take 180. The storage thread keeps a second copy of what it
/// has written of open sessions: 64 MiB in all. That is also the room for sessions that wait for the disk, so one that
/// has ended and the one that runs fit in there together.
public enum GridMemory {
  /// The most bytes of counters of all open sessions together.
  public static let limit = 32 << 20
  /// Above this only the grids of the screen `SessionRecorder.otherScreen` are made or grow. What is left for them holds
  /// those of the largest display, with counters of 2, 2 and 4 bytes.
  static let namedLimit = limit - (8 << 20)
}

extension Counters {
  /// The bytes that counters occupy once one of them holds a value.
  static func byteCount(of count: Int, holding value: UInt64) -> Int {
    count * width(toHold: value)
  }
}

extension TouchTrace {
  /// The bytes that a layer's grid occupies at most once this touch is added.
  /// - Parameter grid: nil: there is none.
  func byteCount(adding layer: Layer, to grid: Counters?) -> Int {
    var highest: UInt64 = 0
    var sum: UInt64 = 0
    switch layer {
    case .taps: (highest, sum) = (grid?[firstBlock] ?? 0, 1)
    case .trail, .dwell:
      // A block may be visited several times.
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
