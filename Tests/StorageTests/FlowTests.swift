import TestSupport
import Testing
import TouchModel

@testable import Storage

@Suite final class FlowTests: StoreSuite {
  private func flow(_ times: UInt64 = 1, to next: String = "menu") -> FlowCounts {
    var home = ScreenFlow(display: "DSI-1", screen: "home")
    (home.sessions, home.entries, home.exits) = (1, 1, [1, 0, 0, 0, 0])
    home.pauses[3] = times
    return FlowCounts(
      sessions: 1, screens: [home],
      steps: [FlowStep(display: "DSI-1", from: "home", to: next, times: times, sessions: 1)],
      funnels: [FunnelCounts(Funnel(name: "order", screens: ["home", "pay"]), reached: [1, 0])])
  }

  /// Writes a session of a day.
  private func write(
    _ id: Int64, day: Int64 = 0, _ flow: FlowCounts?, end: SessionEnd? = .idle
  ) throws {
    var session = try record(id, began: mayFirst + day * dayLength + id * 1000, end: end)
    session.dayCounts = flow?.ofSession ?? []
    try store.write(session)
  }

  @Test func `A session is added to its day once, when it has ended`() throws {
    try write(1, nil, end: nil)
    #expect(try store.flows(in: .always).counts == FlowCounts())
    try write(1, flow())
    // The record may come again: after a power failure, or when recording stops.
    try write(1, flow())
    for id in Int64(2)...4 { try write(id, flow(2)) }
    // Changes of fewer than five sessions are not released.
    let few = try store.flows(in: .always)
    #expect(few.counts.steps.isEmpty && few.hiddenSteps == 1 && few.counts.sessions == 4)
    try write(5, flow(2))
    let sum = try store.flows(in: .always)
    #expect(sum.counts.sessions == 5 && sum.counts.screens[0].pauses[3] == 9)
    #expect(sum.counts.steps[0].times == 9 && sum.counts.steps[0].sessions == 5)
    #expect(sum.counts.funnels[0].reached == [5, 0] && sum.hiddenSteps == 0)
    #expect(try store.check().flatMap(\.faults).isEmpty)
  }

  @Test func `A span selects the days that it touches`() throws {
    for day in Int64(0)..<3 { try write(day + 1, day: day, flow()) }
    let noon = WallTime(milliseconds: mayFirst + dayLength + dayLength / 2)
    #expect(try store.flows(in: TimeSpan(since: noon)).counts.sessions == 2)
    #expect(try store.flows(in: TimeSpan(until: noon)).counts.sessions == 2)
    let midnight = WallTime(milliseconds: mayFirst + dayLength)
    #expect(try store.flows(in: TimeSpan(until: midnight)).counts.sessions == 1)
    // The ends of what a time can be.
    let (least, most) = (WallTime(milliseconds: .min), WallTime(milliseconds: .max))
    #expect(try store.flows(in: TimeSpan(until: least)).counts.sessions == 0)
    #expect(try store.flows(in: TimeSpan(since: most)).counts.sessions == 0)
    #expect(try store.flows(in: TimeSpan(since: least, until: most)).counts.sessions == 3)
  }

  @Test func `A day that loses a session by request loses its changes, by age it keeps them`()
    throws
  {
    for id in Int64(1)...3 { try write(id, day: id - 1, flow()) }
    try write(4, day: 0, flow())
    _ = try store.forget(.session(1))
    #expect(try store.flows(in: .always).counts.sessions == 2)
    try store.rollUp(today: later)
    try store.retain(through: 2, maxSize: nil)
    #expect(try store.flows(in: .always).counts.sessions == 2)
    _ = try store.forget(
      .span(TimeSpan(until: WallTime(milliseconds: mayFirst + 2 * dayLength))))
    #expect(try store.flows(in: .always).counts.sessions == 1)
    _ = try store.forget(.span(.always))
    #expect(try store.database.integer("SELECT count(*) FROM day_only") == 0)
  }

  @Test func `A damaged day is named, left out by recovery, and replaced by the next session`()
    throws
  {
    try write(1, day: 0, flow())
    try write(2, day: 1, flow())
    try store.database.execute(
      "UPDATE day_only SET counts = substr(counts, 1, 20) WHERE day = '2024-05-01'")
    let error = try failure { () throws(StoreError) in try store.flows(in: .always) }
    #expect(error.code == .damaged && error.message.contains("2024-05-01"), "\(error)")
    #expect(try !store.check().flatMap(\.faults).isEmpty)
    let other = folder.path("new.db")
    _ = try Recovery.run(folder.file(), into: other, options: options())
    let recovered = try Store(path: other, options: options())
    #expect(try recovered.flows(in: .always).counts.sessions == 1)
    #expect(try recovered.check().flatMap(\.faults).isEmpty)
    try write(3, day: 0, flow())
    #expect(try store.flows(in: .always).counts.sessions == 2)
  }

  @Test(arguments: [
    #"[["[\"sessions\"]",2,2],["[\"step\",\"DSI-1\",\"home\",\"menu\"]",3,3]]"#,
    #"[["[\"sessions\"]",2,2],["[\"step\",\"DSI-1\",\"home\",\"menu\"]",2,1]]"#,
    #"[["[\"sessions\"]",2,3]]"#, #"[["[\"sessions\"]",2]]"#, #"[["[ \"sessions\"]",2,2]]"#, "{}",
  ])
  func `Counts that contradict each other are damage`(json: String) throws {
    try write(1, flow())
    let bytes = Array(json.utf8)
    try store.database.run(
      "UPDATE day_only SET bytes = ?1, counts = ?2",
      [.integer(Int64(bytes.count)), .blob(try Deflate.deflate(bytes, as: .text))])
    #expect(throws: StoreError.self) { try store.flows(in: .always) }
    #expect(try store.check().flatMap(\.faults).count == 1)
  }

  @Test func `A session whose changes do not fit is left out, and the day stays`() throws {
    try write(1, flow())
    let day = try #require(Day("2024-05-01"))
    let full = try store.dayCounts(of: day, FlowKind.name).map { part in
      (part.subject, CountSum(sessions: 1, numbers: part.numbers.count > 1 ? part.numbers : [.max]))
    }
    // The number of the subject `sessions` is theirs.
    var sums = Dictionary(uniqueKeysWithValues: full)
    for (subject, _) in full where subject.key == #"["sessions"]"# { sums[subject]?.numbers = [1] }
    #expect(try store.write(sums, of: FlowKind.name, on: day, limit: 1 << 20))
    let before = try store.dayCounts(of: day, FlowKind.name)
    try write(2, flow())
    #expect(try store.dayCounts(of: day, FlowKind.name) == before && !before.isEmpty)
  }

  @Test func `Days that would grow without bound leave sessions out`() throws {
    let long = String(repeating: "x", count: 120)
    for id in Int64(1)...20 {
      var wide = flow()
      wide.steps = (0..<1000).map { number in
        FlowStep(
          display: "DSI-1", from: "\(long)\(id)", to: "\(long)\(number)", times: 1, sessions: 1)
      }
      try write(id, wide)
    }
    let sessions = try store.flows(in: .always).counts.sessions
    #expect(sessions > 1 && sessions < 20, "\(sessions)")
  }
}
