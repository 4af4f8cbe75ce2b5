import Glibc
import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Checks that, after something is forgotten, the store equals one that never had it, and that the
/// store's files contain none of it.
@Suite struct ForgettingPropertyTests {
  private enum Step {
    case write(SessionRecord)
    case ghosts(GhostTally, Day)
    case rollUp(Day)
    case retain(WallTime)
  }

  /// The steps applied to a store and what was forgotten since. The days in `blurred` lost sessions
  /// before one of their sessions was forgotten, so they can be compared only in part.
  private struct History {
    var steps: [Step] = []
    var forgotten: Set<Int64> = []
    var forgottenGhosts: Set<Int> = []
    var blurred: Set<String> = []

    /// Returns the contents of a store to which the forgotten steps were never applied.
    func contents(_ folder: TemporaryFolder, finish today: Day?) throws -> Contents {
      let path = folder.file("other.db")
      try run("rm -f \(path)*")
      let store = try Store(path: path, options: options())
      try store.database.execute("PRAGMA synchronous = OFF")
      for (number, step) in steps.enumerated() {
        switch step {
        case .write(let record): if !forgotten.contains(record.id) { try store.write(record) }
        case .ghosts(let tally, let day):
          if !forgottenGhosts.contains(number) { try store.addGhosts([tally], day: day) }
        case .rollUp(let day): try store.rollUp(today: day)
        case .retain(let now): try retain(store, now)
        }
      }
      return try contents(store, finish: today)
    }

    /// Returns the contents of a store, without what cannot be compared.
    /// - Parameter finish: the day before which everything is rolled up first; nil for no roll-up.
    func contents(_ store: Store, finish today: Day?) throws -> Contents {
      if let today { try store.rollUp(today: today) }
      // Unused lists stay in the store until something is forgotten.
      _ = try store.forget(.session(.max - 1))
      var contents = try Contents(store)
      if today == nil { contents.rows["month"] = nil }
      if today == nil { contents.rows["monthly"] = nil }
      guard !blurred.isEmpty else { return contents }
      // If a day can be compared only in part, its placements, masks and first and last start may
      // differ.
      for table in ["placement", "mask", "day", "daily_view"] { contents.rows[table] = nil }
      // A layer that contains only zeros may also have no row.
      let zeros = try [4 * 3, 3 * 4, 5 * 3, 3 * 5, 7 * 5, 5 * 3].map { count in
        let cells = try Cells([UInt128](repeating: 0, count: count)).packed
        let hex = cells.map { String($0, radix: 16, uppercase: true) }
        return hex.map { $0.count < 2 ? "0" + $0 : $0 }.joined()
      }
      for table in ["daily", "monthly"] {
        contents.rows[table] = contents.rows[table]?.filter { row in
          !zeros.contains { row.contains(",1,\"\($0)\",1,\"\($0)\",1,\"\($0)\"") }
        }
      }
      let days = blurred.map { "'\($0)'" }.joined(separator: ",")
      try contents.add(
        "sharp days", "SELECT day || first_began || last_began FROM day WHERE day NOT IN (\(days))",
        of: store)
      try contents.add(
        "totals", "SELECT json_array(day, sessions, \(DayTotals.columns)) FROM day", of: store)
      try contents.add(
        "views",
        "SELECT json_array(day, display, screen, sessions, shown_ms, touches) FROM daily_view",
        of: store)
      return contents
    }
  }

  /// Drops sessions like `Store.retain`, but by a fixed time instead of the clock history, which
  /// depends on the existing sessions.
  private static func retain(_ store: Store, _ cut: WallTime) throws {
    try store.database.run(
      "DELETE FROM session WHERE rolled_up = 1 AND began < ?1", [.integer(cut.milliseconds)])
  }

  /// Returns a session that contains a word no other session has.
  private func marked(
    _ fleet: Fleet, _ id: Int64, began: Int64, _ dice: inout SeededGenerator
  ) throws -> SessionRecord {
    var session = try fleet.session(id, began: began, &dice)
    session.tags["visitor"] = mark(id)
    let secret = try key("screen " + mark(id), fleet.keys[0].geometry)
    session.changedViews.append(
      ScreenView(
        key: secret, shownMilliseconds: 5, touches: 0,
        placements: [try placement(secret, device: "device " + mark(id))]))
    return session
  }

  private func mark(_ id: Int64) -> String {
    let number = UInt64(id) &* 0x9e37_79b9_7f4a_7c15
    return "mark" + String(number, radix: 36) + "."
  }

  private func traces(of ids: Set<Int64>, in folder: TemporaryFolder) throws -> [String] {
    try ["", "-wal", "-shm"].flatMap { ending in
      let bytes = try contents(folder.file() + ending)
      let text = String(decoding: bytes, as: Unicode.ASCII.self)
      return ids.filter { text.utf8.contains(Array(mark($0).utf8)) }.map { "\($0) in \(ending)" }
    }
  }

  /// Without `TOUCHGRID_ENDURANCE`, only two seeds are used. They cover a day that lost some of its
  /// sessions, and a refusal.
  private static let seeds: [UInt64] =
    unsafe getenv("TOUCHGRID_ENDURANCE") != nil ? Array(0..<6) : [3, 5]

  @Test(arguments: seeds)
  func `A store after forgetting equals one that never had the forgotten data`(seed: UInt64) throws
  {
    var dice = SeededGenerator(seed: seed + 900)
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let store = try Store(path: folder.file(), options: options())
    try store.database.execute("PRAGMA synchronous = OFF")
    let fleet = try Fleet(&dice)
    var history = History()
    var records: [SessionRecord] = []
    var (spans, singles, refusals, partial) = (0, 0, 0, 0)
    let day = { (dice: inout SeededGenerator) in
      mayFirst + Int64.random(in: -3..<50, using: &dice) * dayLength
    }
    for number in 0..<70 {
      switch Int.random(in: 0..<12, using: &dice) {
      case 0, 1:
        let today = utc(WallTime(milliseconds: day(&dice)))
        try store.rollUp(today: today)
        history.steps.append(.rollUp(today))
      case 2 where number > 9, 6 where number > 9:
        // The cut is in the middle of a day, so that some days lose only some of their sessions.
        let first = mayFirst + Int64.random(in: -3..<20, using: &dice) * dayLength
        let cut = WallTime(
          milliseconds: first / (5 * dayLength) * 5 * dayLength + dayLength / 2)
        let today = utc(WallTime(milliseconds: cut.milliseconds + dayLength))
        try store.rollUp(today: today)
        try Self.retain(store, cut)
        history.steps += [.rollUp(today), .retain(cut)]
      case 3:
        let tally = GhostTally(
          device: "usb-1", x: Int32(number), y: 2, periodMilliseconds: 12_864, touches: 3)
        let today = utc(WallTime(milliseconds: day(&dice)))
        try store.addGhosts([tally], day: today)
        history.steps.append(.ghosts(tally, today))
      case 4 where number > 10, 5 where number > 10:
        let before = try Contents(store)
        var what = ForgetSelection.session(
          try store.sessions(in: .always).filter(\.isRolledUp).prefix(4)
            .randomElement(using: &dice)?.record.id ?? Int64.random(in: 1..<99, using: &dice))
        if Bool.random(using: &dice) {
          let bounds = (0..<2).map { _ in
            day(&dice) / (5 * dayLength) * 5 * dayLength
              + Int64.random(in: 0..<3, using: &dice) * dayLength / 3
          }.sorted()
          what = .span(
            TimeSpan(
              since: Int.random(in: 0..<4, using: &dice) > 0
                ? WallTime(milliseconds: bounds[0]) : nil,
              until: WallTime(milliseconds: bounds[1])))
        }
        do {
          let forgotten = try store.forget(what)
          switch what {
          case .span(let span):
            spans += 1
            let wanted = records.filter {
              span.contains($0.began) && !history.forgotten.contains($0.id)
            }
            #expect(forgotten.sessions == UInt64(wanted.count))
            #expect(forgotten.touches == wanted.reduce(0) { $0 + $1.totals.begun })
            #expect(forgotten.days == UInt64(Set(wanted.map { utc($0.began) }).count))
            history.forgotten.formUnion(wanted.map(\.id))
            for case (let index, .ghosts(_, let day)) in history.steps.enumerated()
            where span.holds(day) {
              history.forgottenGhosts.insert(index)
            }
          case .session(let id):
            guard let record = records.first(where: { $0.id == id }), forgotten.sessions == 1
            else {
              #expect(forgotten == Forgotten())
              break
            }
            singles += 1
            #expect(forgotten.touches == record.totals.begun)
            history.forgotten.insert(id)
            let day = utc(record.began).text
            let values: [SQLValue] = [.text(day)]
            let left = try store.database.integer(
              "SELECT count(*) FROM session WHERE rolled_up = 1 AND day = ?1", values)
            let sum = try store.database.integer("SELECT sessions FROM day WHERE day = ?1", values)
            if left != sum {
              partial += 1
              history.blurred.insert(day)
            }
          }
          #expect(try traces(of: history.forgotten, in: folder) == [])
        } catch let error as StoreError {
          refusals += 1
          #expect(error.code == .onlyWholeDays)
          #expect(try Contents(store) == before)
        }
        let wanted = try history.contents(other, finish: nil)
        let differences = try history.contents(store, finish: nil).differences(from: wanted)
        #expect(differences == [])
        #expect(try store.database.integer("SELECT count(*) FROM pragma_foreign_key_check") == 0)
      default:
        let began = day(&dice) / (5 * dayLength) * 5 * dayLength
        let session = try marked(
          fleet, Int64(number + 1),
          began: began + Int64.random(in: 0..<dayLength, using: &dice), &dice)
        try store.write(session)
        history.steps.append(.write(session))
        records.append(session)
      }
    }
    let later = try #require(Day("2024-12-01"))
    let end = try history.contents(other, finish: later)
    let differences = try history.contents(store, finish: later).differences(from: end)
    #expect(differences == [])
    #expect(try store.database.integer("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    #expect(try store.database.integer("SELECT count(*) FROM pragma_integrity_check") == 1)
    print(
      "seed \(seed): \(spans) spans, \(singles) sessions (\(partial) of partial days), "
        + "\(refusals) refusals; \(history.forgotten.count) of \(records.count) sessions forgotten")
    // Finally, forget everything.
    _ = try store.forget(.span(.always))
    for (table, rows) in try Contents(store).rows { #expect(rows.isEmpty, "\(table)") }
    #expect(try traces(of: Set(records.map(\.id)), in: folder) == [])
  }
}

extension TimeSpan {
  /// Whether the span contains all of a day, in UTC.
  fileprivate func holds(_ day: Day) -> Bool {
    let first = mayFirst - 9 * dayLength
    let times = stride(from: first, to: first + 80 * dayLength, by: Int(hour / 3))
      .map { WallTime(milliseconds: $0) }.filter { utc($0) == day }
    return !times.isEmpty && times.allSatisfy { contains($0) }
  }
}
