import Testing
import TouchModel

@testable import Storage

/// A machine whose clock may be wrong. It also keeps the true time.
final class ClockKiosk {
  let store: Store
  let keep: Int64
  /// The true time, in milliseconds of UTC.
  private(set) var truth = mayFirst
  private(set) var uptime: Int64 = 0
  private var start: Int64 = 0
  /// How far the clock is ahead of the true time, in milliseconds.
  var error: Int64 = 0
  private(set) var began: [Int64: Int64] = [:]
  private(set) var taps: UInt64 = 0

  /// - Parameter keep: How long sessions are kept, in days.
  init(_ store: Store, keep: Int64) throws {
    (self.store, self.keep) = (store, keep)
    try startDaemon()
  }

  func pass(_ milliseconds: Int64) {
    truth += milliseconds
    uptime += milliseconds
  }

  func startDaemon() throws {
    start = uptime
    _ = try store.beginRun(at: WallTime(milliseconds: truth))
    try doHousekeeping()
  }

  /// Switches the machine off and on again.
  func boot(after milliseconds: Int64) throws {
    truth += milliseconds
    uptime = 30_000
    try startDaemon()
  }

  func doHousekeeping() throws {
    try store.doHousekeeping(keepSessions: .seconds(keep * 86_400), maxSize: nil, at: reading)
  }

  var reading: ClockReading {
    ClockReading(
      now: WallTime(milliseconds: truth + error), uptime: Timestamp(microseconds: uptime * 1000),
      start: Timestamp(microseconds: start * 1000))
  }

  func visit(_ count: UInt64 = 1) throws {
    let id = Int64(began.count) + 1
    began[id] = truth
    taps += count
    try store.write(record(id, began: truth + error, taps: [Int(id % 12): count]))
    pass(5_000)
    try doHousekeeping()
  }

  /// The ids of the sessions that are still stored.
  var left: [Int64] {
    get throws { try store.sessions(in: .always).map(\.record.id).sorted() }
  }

  /// Returns the sessions that began at most `days` days ago.
  func young(_ days: Int64) -> Set<Int64> {
    Set(began.filter { truth - $0.value <= days * dayLength }.keys)
  }
}
