import Storage
import TestSupport
import Testing
import TouchModel

@testable import TouchgridCommands

@Suite struct SessionTableTests {
  private func list(_ records: [SessionRecord]) throws -> SessionTable {
    let folder = try TemporaryFolder()
    let store = try Store(reading: SampleStore.make(records, in: folder))
    return SessionTable(try Past.file(store).sessions(in: .always))
  }

  @Test func `Sessions are printed as a table above their totals`() throws {
    let geometry = try geometry()
    let menu = SampleStore.key("menu", geometry)
    let list = try list([
      SampleStore.session(
        1, tags: ["build": "1.4", "lang": "de"],
        [
          menu: [Block(column: 2, row: 1): 5],
          SampleStore.key("pay", geometry): [Block(column: 9, row: 5): 1],
        ]),
      SampleStore.session(12, after: 60, end: .maxDuration, [menu: [:]]),
      SampleStore.session(13, after: 120, end: nil, [menu: [Block(column: 0, row: 0): 1]]),
    ])
    #expect(
      list.lines(width: 80) == [
        "ID  BEGAN             DURATION  TOUCHES  ENDED         TAGS",
        " 1  2026-11-21 14:03     12:34        9  idle          build=1.4 lang=de",
        "12  2026-11-21 15:03     12:34        3  max duration",
        "13  2026-11-21 16:03     12:34        5  running",
        "3 sessions: 17 begun = 7 counted + 9 masked + 0 palms + 0 ghosts + 0 swallowed +",
        "1 still down",
      ])
  }

  @Test func `Long tags are cut off at the terminal's width`() throws {
    let menu = SampleStore.key("menu", try geometry())
    let list = try list([
      SampleStore.session(
        1, tags: ["build": String(repeating: "x", count: 100), "evil": "\u{1b}[2J"], [menu: [:]])
    ])
    #expect(list.lines(width: 80)[1].count == 80)
    #expect(list.lines(width: 80)[1].hasSuffix("x…"))
    #expect(!list.lines(width: 200).joined().contains("\u{1b}"))
  }

  @Test func `Clamped samples and losses are printed only if there are any`() throws {
    var record = SampleStore.session(1, [:])
    record.totals.drops = 2
    record.totals.clamped = 7
    #expect(
      try list([record]).lines(width: 80).last
        == "7 samples clamped to an edge, 2 losses of events")
  }
}
