import Text
import TouchModel

/// Checks that the daemon can write its store.
enum StoreCheck {
  struct Facts: Equatable {
    var path: String
    /// The error that the daemon reports; nil if it can write the store.
    var error: String?
    /// The free space on the file system of the store, in bytes; nil if unknown.
    var freeBytes: Int64?
  }

  /// With less free space than this, in bytes, sessions will soon be lost.
  static let leastBytes: Int64 = 16 << 20
  /// With less free space than this, in bytes, the store may be unable to grow to the default
  /// `max_size`.
  static let lowBytes: Int64 = 256 << 20

  static func movedAside(_ path: String) -> Finding {
    let path = path.printable(limit: 1000)
    return .warning(
      "a damaged store was moved to \(path)",
      "'sudo touchgrid store recover \(path)' saves what can be read")
  }

  static func finding(_ facts: Facts) -> Finding {
    let path = facts.path.printable(limit: 1000)
    let free = facts.freeBytes
    if let error = facts.error {
      return .problem(
        "the store \(path) cannot be written: \(error.printable(limit: 1000))",
        free.map { $0 < leastBytes } == true
          ? "its disk is full: \(bytesText(free ?? 0)) are free; free some space"
          : "remove that cause; the folder of the store must belong to the daemon's user (usually "
            + "touchgrid). The daemon then writes the sessions that wait in memory"
      )
    }
    guard let free else { return .ok("the store \(path) can be written") }
    if free < leastBytes {
      return .problem(
        "the disk of the store \(path) is almost full: \(bytesText(free)) are free",
        "free some space: once the store cannot be written, sessions wait in the daemon's memory, "
          + "and are lost if it stops")
    }
    if free < lowBytes {
      return .warning(
        "the disk of the store \(path) is nearly full: \(bytesText(free)) are free",

        "free some space, or set a smaller max_size in [store] of the configuration, usually "
          + "/etc/touchgrid/touchgridd.toml")
    }
    return .ok("the store \(path) can be written; \(bytesText(free)) are free")
  }
}
