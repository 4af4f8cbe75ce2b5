import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Another program may write one name in two Unicode forms. For the store, these are two names. The
/// random sessions of other tests have screens with such names (`nameForms`).
@Suite final class NameFormTests: FolderSuite {
  override init() throws {
    try super.init()
    try #require(nameForms[0] == nameForms[1], "Swift considers the two forms equal")
  }

  @Test func `Devices whose names differ only in Unicode form are separate`() throws {
    let store = try Store(path: folder.file(), options: options())
    var session = try record(1)
    let key = session.changedViews[0].key
    session.changedViews[0].placements = try nameForms.map { try placement(key, device: $0) }
    try store.write(session)
    try store.rollUp(today: #require(Day("2024-05-02")))
    let kept = try store.screens(in: .always).flatMap(\.placements).map { Array($0.device.utf8) }
    #expect(kept == nameForms.reversed().map { Array($0.utf8) })
    let ghosts = nameForms.map {
      GhostTally(device: $0, x: 1, y: 2, periodMilliseconds: 3, touches: 5)
    }
    var backlog = Backlog()
    let day = utc(WallTime(milliseconds: mayFirst))
    backlog.add([ghosts[0]], day: day)
    backlog.add([ghosts[1], ghosts[1]], day: day)
    try store.addGhosts(backlog.ghosts[0].tallies, day: day)
    #expect(try store.ghosts(on: day).map(\.touches) == [10, 5])
    #expect(try faults(folder.file()) == [])
  }

  @Test func `Grid keys are sorted as SQLite sorts their names`() throws {
    let screens = [
      "z", "Z", "é", "e\u{301}", "e", "ê", "\u{1f600}", "\u{ffef}", "ｅ", "Å", "\u{212b}",
    ]
    let sorted = try screens.map { try key($0) }.sorted { GridKey.isBefore($0, $1) }.map(\.screen)
    let store = try Store(path: folder.file(), options: options())
    try store.database.execute("CREATE TEMP TABLE name (name TEXT)")
    for screen in screens {
      try store.database.run("INSERT INTO name VALUES (?1)", [.text(screen)])
    }
    var expected: [[UInt8]] = []
    try store.database.each("SELECT name FROM name ORDER BY name") { row throws(StoreError) in
      expected.append(Array(try row.text(0).utf8))
    }
    #expect(sorted.map { Array($0.utf8) } == expected)
    #expect(Set(try screens.map { try key($0) }).count == screens.count)
  }
}
