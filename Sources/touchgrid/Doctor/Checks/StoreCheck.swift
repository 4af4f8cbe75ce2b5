import TouchModel

/// Can the store be written?
enum StoreCheck {
  struct Facts: Equatable {
    var path: String
    /// What the daemon says.
    var error: String?
    /// Of the file system that it lies on; nil where it cannot be asked.
    var freeBytes: Int64?
  }

  /// Below this sessions will be lost soon.
  static let leastBytes: Int64 = 16 << 20
  /// Below this the store cannot grow as large as it may by default.
  static let fewBytes: Int64 = 256 << 20

  static func movedAside(_ path: String) -> Finding {
    let path = path.printable(limit: 1000)
    return .warning(
      "a damaged store was moved aside, and is now \(path)",
      "'sudo touchgrid store recover \(path)' gets out what can be read")
  }

  static func finding(_ facts: Facts) -> Finding {
    let path = facts.path.printable(limit: 1000)
    let free = facts.freeBytes
    if let error = facts.error {
      return .problem(
        "the store \(path) cannot be written: \(error.printable(limit: 1000))",
        free.map { $0 < leastBytes } == true
          ? "its disk is full: \(bytesText(free ?? 0)) are free; make room"
          : "its folder must belong to the daemon's user; what waits is written once that is so")
    }
    guard let free else { return .ok("the store \(path) is written") }
    if free < leastBytes {
      return .problem(
        "the disk of the store \(path) is full: \(bytesText(free)) are free",
        "make room; what cannot be written waits in memory, and is lost when the daemon stops")
    }
    if free < fewBytes {
      return .warning(
        "the disk of the store \(path) is nearly full: \(bytesText(free)) are free",
        "make room, or set a smaller max_size in [store] of /etc/touchgrid/touchgridd.toml")
    }
    return .ok("the store \(path) is written; \(bytesText(free)) are free")
  }
}
