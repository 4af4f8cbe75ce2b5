internal import Glibc

@testable import Storage
@testable import TouchModel

/// The store that one input makes, in the scratch folder of this process.
struct ScratchStore {
  private static let folder = scratchFolder("store")
  let path: String

  init(_ name: String = "touchgrid.db") { path = Self.folder + "/" + name }

  func write(_ files: StoreFiles) {
    remove()
    write(files.database, to: path)
    if !files.log.isEmpty { write(files.log, to: path + "-wal") }
  }

  private func write(_ bytes: [UInt8], to path: String) {
    guard let file = unsafe fopen(path, "wb") else { fatalError("no file \(path)") }
    unsafe fwrite(bytes, 1, bytes.count, file)
    unsafe fclose(file)
  }

  func remove() { for ending in storeEndings { unsafe unlink(path + ending) } }

  /// Uses the store in one of four ways: queries and checks it, records to it, forgets its
  /// sessions, or maintains it. Every error of the store must have a description.
  func use(_ how: UInt8) {
    attempt { () throws(StoreError) in
      switch how % 4 {
      case 0:
        let store = try Store(reading: path, options: sampleOptions)
        ask(store)
        _ = try store.check()
      case 1: record(try Store(path: path, options: sampleOptions))
      case 2: forget(try Store(path: path, options: sampleOptions))
      default:
        let store = try Store(path: path, options: sampleOptions)
        rollUp(store)
        // Sessions are deleted for their age only from the third day on: before, the clock history
        // is too short.
        for day in 0..<3 as Range<Int64> {
          attempt { () throws(StoreError) in
            try store.doHousekeeping(
              keepSessions: .seconds(86_400), maxSize: 1 << 20,
              at: ClockReading(
                now: WallTime(milliseconds: 1_722_400_000_000 + day * 86_400_000),
                uptime: Timestamp(microseconds: (day + 1) * 86_400_000_000),
                start: Timestamp(microseconds: 0)))
          }
        }
        ask(store)
      }
    }
  }

  private func record(_ store: Store) {
    attempt { () throws(StoreError) in _ = try store.closeUnfinished() }
    attempt { () throws(StoreError) in _ = try store.beginRun(at: WallTime(milliseconds: 1)) }
    attempt { () throws(StoreError) in
      try store.write(sampleSession(try store.nextSessionID, began: 1_717_200_000_000))
    }
    rollUp(store)
    ask(store)
  }

  private func rollUp(_ store: Store) {
    guard let today = Day("2024-07-02") else { return }
    attempt { () throws(StoreError) in _ = try store.rollUp(today: today) }
  }

  /// Forgets one session, then those of a week, then all others, and checks that none are left.
  private func forget(_ store: Store) {
    let week = TimeSpan(
      since: WallTime(milliseconds: 1_715_600_000_000),
      until: WallTime(milliseconds: 1_716_200_000_000))
    for what in [ForgetSelection.session(2), .span(week)] {
      attempt { () throws(StoreError) in _ = try store.forget(what) }
    }
    attempt { () throws(StoreError) in
      _ = try store.forget(.span(.always))
      let left = try store.database.integer(
        "SELECT (SELECT count(*) FROM session) + (SELECT count(*) FROM day)")
      must(left == 0, "\(left) sessions and days were not forgotten")
    }
  }

  private func ask(_ store: Store) {
    var ids: [Int64] = []
    attempt { () throws(StoreError) in
      ids = try store.sessions(in: .always).map(\.record.id)
    }
    for id in ids.prefix(8) {
      attempt { () throws(StoreError) in
        for grid in try store.session(id)?.record.changedGrids ?? [] {
          let geometry = grid.key.geometry
          must(
            grid.counters.count == geometry.columns * geometry.rows, "as many blocks as a geometry")
        }
      }
    }
    attempt { () throws(StoreError) in _ = try store.days(in: .always) }
    let filter = SessionFilter(weekdays: [.monday, .sunday], hours: HourRange(from: 22, until: 4))
    attempt { () throws(StoreError) in _ = try store.sessions(in: .always, filter) }
    attempt { () throws(StoreError) in
      _ = try store.grids(of: GridQuery(.span(.always, filter), layer: .taps))
    }
    attempt { () throws(StoreError) in _ = try store.screens(in: .always) }
    for layer in Layer.allCases {
      attempt { () throws(StoreError) in
        for summary in try store.grids(screen: nil, layer: layer, in: .always) {
          for block in 0..<summary.sum.count {
            let (mean, variance) = (summary.mean(at: block) ?? 0, summary.variance(at: block) ?? 0)
            must(mean >= 0 && mean.isFinite, "mean \(mean)")
            must(!variance.isNaN, "variance \(variance)")
          }
        }
      }
    }
    if let day = Day("2024-05-01") {
      attempt { () throws(StoreError) in _ = try store.ghosts(on: day) }
    }
  }

  private func attempt(_ body: () throws(StoreError) -> Void) {
    do throws(StoreError) { try body() } catch {
      must(!error.description.isEmpty, "an error has words")
    }
  }
}
