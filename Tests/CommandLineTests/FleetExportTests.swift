import Glibc
import Storage
import TestSupport
import Testing
import TouchModel

@testable import TouchgridCommands

/// `touchgrid export --fleet` and `touchgrid import`.
@Suite struct FleetExportTests {
  private let folder: TemporaryFolder
  private let menu: GridKey
  private var path: String { folder.path("store.db") }
  private var fleet: String { folder.path("fleet") }
  private static let day: Int64 = 24 * 60

  init() throws {
    folder = try TemporaryFolder()
    menu = SampleStore.key("menu", try geometry())
  }

  // MARK: A kiosk

  /// Starts the daemon's part of a store, writes sessions, and rolls up all days.
  private func record(_ sessions: [SessionRecord], run: Int64, path: String? = nil) throws {
    let store = try Store(path: path ?? self.path)
    _ = try store.beginRun(at: WallTime(milliseconds: 1_795_000_000_000 + run))
    for session in sessions { try store.write(session) }
    try store.rollUp(today: try #require(Day("2026-11-25")))
  }

  /// A session on the screen `menu` with `count` taps and some time of contact.
  private func session(_ id: Int64, day: Int64, _ count: UInt64) -> SessionRecord {
    var session = SampleStore.session(
      id, after: day * Self.day + id, [menu: [Block(column: Int(id % 10), row: 1): count]])
    // The squares of the times have more than 63 bits.
    session.changedGrids.append(
      Grid(key: menu, layer: .dwell, counters: Counters(Array(repeating: count << 40, count: 60))))
    session.changedCounts = [SubjectCounts(SampleStore.panel(count))]
    // No two totals are equal, so that none can stand for another.
    (session.totals.palms, session.totals.ghosts) = (5, 7)
    (session.totals.preexisting, session.totals.cancelled) = (11, 13)
    (session.totals.clamped, session.totals.drops) = (17, 19)
    session.totals.swallowed = 23
    session.totals.begun += 5 + 7 + 23
    return session
  }

  @discardableResult
  private func export(
    status: Int32 = 0, as kiosk: String = "lobby-3", environment: [String: String] = [:]
  ) throws -> Program.Result {
    let result = try Program.run(
      ["export", "--fleet", "--kiosk", kiosk, "-o", fleet, "--store", path],
      environment: environment, in: folder)
    #expect(result.status == status, "\(result.error)")
    return result
  }

  private func forget(_ day: String) throws {
    let result = try Program.run(
      ["forget", "--since", day, "--until", day, "--store", path, "--yes"], in: folder)
    #expect(result.status == 0, "\(result.error)")
  }

  /// Makes a store from objects, and returns every table of its export but the sessions.
  private func imported(_ from: String? = nil) throws -> [String: String] {
    let store = folder.path("fleet.db")
    let result = try Program.run(
      ["import", from ?? fleet, "-o", store, "--force"], in: folder)
    #expect(result.status == 0, "\(result.error)")
    let check = try Program.run(["store", "check", "--store", store], in: folder)
    #expect(check.status == 0, "\(check.text)")
    return try tables(store)
  }

  private func tables(_ store: String) throws -> [String: String] {
    let export = folder.path("export-\(UInt32.random(in: 0...UInt32.max))")
    let result = try Program.run(["export", "-o", export, "--store", store], in: folder)
    #expect(result.status == 0, "\(result.error)")
    let found = try Program.run([export, "-name", "*.csv"], program: "find", in: folder)
    var tables: [String: String] = [:]
    for file in found.text.split(separator: "\n") where !file.hasSuffix("sessions.csv") {
      tables[String(file.dropFirst(export.utf8.count + 1))] = String(
        decoding: try TemporaryFolder.contents(String(file)), as: UTF8.self)
    }
    return tables
  }

  private func objects() throws -> [ObjectName] {
    try ObjectFolder(fleet).days.values.joined().sorted { $0.path < $1.path }
  }

  private func copy(_ one: String, to other: String) throws {
    #expect(try Program.run([one, other], program: "cp", in: folder).status == 0)
  }

  // MARK: Days

  @Test func `A day that is over is written even before the daemon rolls it up`() throws {
    let store = try Store(path: path)
    try store.write(session(1, day: 0, 4))
    try store.rollUp(today: try #require(Day("2026-11-22")))
    for session in [session(2, day: 0, 5), session(3, day: 1, 6)] { try store.write(session) }
    var running = session(4, day: 2, 7)
    running.end = nil
    try store.write(running)
    #expect(try export().text == "2 objects written, 0 unchanged\n")
    let before = try objects()
    try store.rollUp(today: try #require(Day("2026-11-23")))
    #expect(try export().text == "0 objects written, 2 unchanged\n")
    #expect(try objects() == before)
  }

  @Test func `A forgotten day is an empty revision`() throws {
    try record([session(1, day: 0, 4), session(2, day: 1, 5)], run: 1)
    try export()
    let before = try objects()
    try forget("2026-11-21")
    try export()
    let after = try objects()
    #expect(after.count == 2 && after[0].revision > before[0].revision && after[1] == before[1])
    let object = try ObjectFolder(fleet).read(after[0])
    #expect(object.content == DayContent(summary: DaySummary(day: after[0].day)))
    #expect(try imported() == tables(path))
    #expect(try export().text == "0 objects written, 2 unchanged\n")
  }

  // MARK: Backups

  @Test func `After a backup was put back, new sessions add to those that it lacks`() throws {
    try record([session(1, day: 0, 4), session(2, day: 1, 5)], run: 1)
    let backup = folder.path("backup.db")
    try copy(path, to: backup)
    try record([session(3, day: 1, 6), session(4, day: 2, 7)], run: 2)
    try export()
    let lost = folder.path("lost.db")
    try copy(path, to: lost)
    try copy(backup, to: path)
    try record([session(3, day: 1, 100), session(4, day: 3, 200), session(5, day: 3, 1)], run: 3)
    let result = try export()
    #expect(result.error.contains("a backup was put back"))
    #expect(result.text == "2 objects written, 3 unchanged\n")
    let all = try union([
      (1, 0, 4), (2, 1, 5), (3, 1, 6), (4, 2, 7), (13, 1, 100), (14, 3, 200), (15, 3, 1),
    ])
    #expect(try imported() == all)
    #expect(Set(try objects().map(\.generation)).count == 2)
    #expect(try export().text == "0 objects written, 5 unchanged\n")
  }

  @Test func `A session forgotten after a backup was put back leaves the fleet`() throws {
    try record([session(1, day: 0, 4), session(2, day: 1, 5)], run: 1)
    let backup = folder.path("backup.db")
    try copy(path, to: backup)
    try record([session(3, day: 1, 6)], run: 2)
    try export()
    try copy(backup, to: path)
    try record([session(3, day: 2, 9)], run: 3)
    try export()
    try forget("2026-11-22")
    try export()
    #expect(try imported() == tables(path))
  }

  /// The union of everything that the store ever had, as (session, day, taps). Ids above 10 stand
  /// for ids that were used a second time.
  private func union(_ sessions: [(Int64, Int64, UInt64)]) throws -> [String: String] {
    let all = folder.path("all-\(UInt32.random(in: 0...UInt32.max)).db")
    let records = sessions.map { id, day, taps in
      var record = session(id % 10, day: day, taps)
      record.id = id
      return record
    }
    try record(records, run: 9, path: all)
    return try tables(all)
  }

  @Test func `A backup put back after a new store had begun counts nothing twice`() throws {
    try record([session(1, day: 0, 1), session(2, day: 1, 2)], run: 1)
    try export()
    let backup = folder.path("backup.db")
    try copy(path, to: backup)
    #expect(unsafe unlink(path) == 0)
    try record([session(3, day: 2, 3)], run: 2)
    try export()
    try copy(backup, to: path)
    try record([session(3, day: 3, 4)], run: 3)
    try export()
    #expect(try imported() == union([(1, 0, 1), (2, 1, 2), (3, 2, 3), (13, 3, 4)]))
    // The first generation goes on, because the backup has all of its sessions.
    #expect(Set(try objects().map(\.generation)).count == 2)
  }

  @Test func `A day that was running in the backup keeps what the fleet has`() throws {
    let backup = folder.path("backup.db")
    do {
      let store = try Store(path: path)
      _ = try store.beginRun(at: WallTime(milliseconds: 1))
      try store.write(session(1, day: 0, 10))
      var running = session(2, day: 0, 1)
      running.end = nil
      try store.write(running)
      try store.backUp(to: backup)
      try store.write(session(2, day: 0, 20))
      try store.write(session(3, day: 0, 5))
      try store.rollUp(today: try #require(Day("2026-11-25")))
    }
    try export()
    try copy(backup, to: path)
    try export()
    try record([session(2, day: 0, 2)], run: 2)
    try export()
    #expect(try imported() == union([(1, 0, 10), (2, 0, 20), (3, 0, 5)]))
  }

  @Test func `A store recovered with losses takes nothing from the fleet`() throws {
    try record((1...40).map { session($0, day: $0 / 10, 3) }, run: 1)
    try export()
    let before = try imported()
    let damaged = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as store:
        store.execute("DELETE FROM daily WHERE day = '2026-11-22'")
      """, [path])
    #expect(damaged.status == 0)
    try SampleStore.drop(
      before: WallTime(milliseconds: SampleStore.began.milliseconds + 10 * 86_400_000),
      in: Store(path: path))
    let recovered = folder.path("recovered.db")
    #expect(
      try Program.run(["store", "recover", path, "--into", recovered], in: folder).status == 0)
    #expect(try tables(recovered) != before)
    try copy(recovered, to: path)
    try record([], run: 2)
    #expect(try export().text.hasPrefix("0 objects written"))
    #expect(try imported() == before)
  }

  @Test func `Suspected ghosts of a day with two generations are counted once`() throws {
    let ghost = GhostTally(device: "usb-1", x: 1, y: 2, periodMilliseconds: 12_864, touches: 3)
    try record([session(1, day: 0, 1)], run: 1)
    let backup = folder.path("backup.db")
    try copy(path, to: backup)
    try record([session(2, day: 1, 2)], run: 2)
    try export()
    try copy(backup, to: path)
    try record([session(2, day: 0, 7)], run: 3)
    try Store(path: path).addGhosts([ghost], day: try #require(Day("2026-11-24")))
    try export()
    let ghosts = try imported().filter { $0.key.hasSuffix("days.csv") }
      .values.joined().split(separator: "\n").filter { $0.contains(",3,\"[") }
    #expect(ghosts.count == 1)
  }

  @Test func `Days do not change with the time zone of the command`() throws {
    try record([session(1, day: 0, 1), session(2, day: 0, 2)], run: 1)
    try export()
    let before = try objects()
    try export(environment: ["TZ": "Pacific/Auckland"])
    #expect(try objects() == before)
  }

  // MARK: The documentation page

  /// Runs a program of Python on a folder.
  private func python(_ program: String, _ arguments: [String]) throws -> Program.Result {
    try Program.run(
      [try folder.write(program, to: "program.py")] + arguments, program: "python3",
      environment: [
        "PYTHONPATH": unsafe getenv("PYTHONPATH").map { unsafe String(cString: $0) } ?? ""
      ], in: folder)
  }

  /// A kiosk with two generations, a replaced revision, a forgotten day and a suspected ghost.
  private func recordEventfulDays() throws {
    try record((1...6).map { session($0, day: $0 / 2, UInt64($0)) }, run: 1)
    let backup = folder.path("backup.db")
    try copy(path, to: backup)
    try record([session(7, day: 2, 6)], run: 2)
    try export()
    try copy(backup, to: path)
    try record([session(7, day: 3, 9), session(8, day: 4, 1)], run: 3)
    try Store(path: path).addGhosts(
      [GhostTally(device: "usb-1", x: -1, y: 2, periodMilliseconds: 12_864, touches: 3)],
      day: try #require(Day("2026-11-20")))
    try forget("2026-11-21")
    try export()
  }

  @Test func `The documented reader gives the means of the heatmap`() throws {
    try recordEventfulDays()
    let programs = try Project.programs("docs/fleet.md")
    try #require(programs.count == 1)
    #expect(programs[0].split(separator: "\n").count <= 30)
    let read = try python(programs[0], [fleet])
    #expect(read.error == "")
    _ = try imported()
    let drawn = try Program.run(
      [
        "heatmap", "menu", "--layer", "taps", "-o", "-", "--format", "csv", "--store",
        folder.path("fleet.db"),
      ], in: folder)
    let comparison = """
      import csv, sys
      wanted = [(int(row["row"]) * 10 + int(row["column"]), int(row["count"]), float(row["mean"]))
        for row in csv.DictReader(open(sys.argv[1])) if int(row["count"])]
      found = [(int(a), int(b), float(c)) for _, _, a, b, c in map(str.split, open(sys.argv[2]))]
      assert sorted(found) == sorted(wanted), (found, wanted)
      print(len(found))
      """
    let compared = try python(
      comparison,
      [folder.write(drawn.text, to: "drawn.csv"), folder.write(read.text, to: "read.txt")])
    #expect(compared.error == "" && compared.text == "8\n", "\(compared.text)")
  }

  @Test func `Every line of an object fits the schema`() throws {
    try recordEventfulDays()
    let check = """
      import fastjsonschema, glob, gzip, json, sys
      check = fastjsonschema.compile(json.load(open(sys.argv[1])))
      types = set()
      for path in glob.glob(sys.argv[2] + "/in/*/*/*/*.gz"):
        for line in gzip.open(path, "rt"):
          types.add(check(json.loads(line))["type"])
      print(*sorted(types))
      """
    let schema = folder.path("schema.json")
    try copy("docs/day-object.schema.json", to: schema)
    let result = try python(check, [schema, fleet])
    #expect(result.text == "count day ghost grid view\n", "\(result.error)")
  }

  // MARK: Interruptions and mistakes

  @Test func `Of what a killed export has left, a lower revision is removed, a higher passed over`()
    throws
  {
    try record([session(1, day: 0, 4)], run: 1)
    try export()
    let name = try objects()[0]
    var left = name
    left.revision -= 1
    try copy(fleet + "/" + name.path, to: fleet + "/" + left.path)
    #expect(try export().text == "0 objects written, 1 unchanged\n")
    #expect(unsafe access(fleet + "/" + left.path, F_OK) != 0)
    left.revision += 1_000_000_000
    try copy(fleet + "/" + name.path, to: fleet + "/" + left.path)
    try record([session(2, day: 0, 5)], run: 2)
    try export()
    #expect(try objects().map(\.revision) == [left.revision + 1])
  }

  /// An export that is killed after it has written an object, and before it has noted that.
  private func forgetNotes(_ body: () throws -> Void) throws {
    let state = fleet + "/state.json"
    try copy(state, to: folder.path("state"))
    try body()
    try copy(folder.path("state"), to: state)
  }

  @Test func `A day that is forgotten after an export was killed is not left behind`() throws {
    try record([session(1, day: 0, 4)], run: 1)
    try export()
    try record([session(2, day: 1, 5)], run: 2)
    try forgetNotes { try export() }
    #expect(try objects().count == 2)
    try forget("2026-11-22")
    try export()
    #expect(try imported() == tables(path))
    let forgotten = try #require(try objects().first { $0.day.text == "2026-11-22" })
    #expect(try ObjectFolder(fleet).read(forgotten).content.isEmpty)
  }

  @Test func `Another kiosk and a missing, older or damaged state are refused`() throws {
    try record([session(1, day: 0, 4)], run: 1)
    try export()
    let backup = folder.path("backup.db")
    try copy(path, to: backup)
    #expect(unsafe unlink(path) == 0)
    try record([session(1, day: 1, 9)], run: 2)
    try forgetNotes { try export() }
    let before = try objects()
    #expect(try export(status: 1, as: "lobby-4").error.contains("objects of the kiosk lobby-3"))
    #expect(try export(status: 1).error.contains("an older copy"))
    #expect(unsafe unlink(fleet + "/state.json") == 0)
    #expect(try export(status: 1).error.contains("is missing"))
    _ = try folder.write("{\"generations\":", to: "fleet/state.json")
    #expect(try export(status: 1).error.contains("state.json cannot be read"))
    #expect(unsafe unlink(fleet + "/state.json") == 0)
    #expect(unsafe symlink("/nowhere", fleet + "/state.json") == 0)
    #expect(try export(status: 1).error.contains("cannot be read"))
    #expect(try objects() == before)
  }

  @Test func `A pipe in place of a file is refused at once`() throws {
    try record([session(1, day: 0, 4)], run: 1)
    try export()
    let object = fleet + "/" + (try objects()[0].path)
    #expect(unsafe unlink(object) == 0 && mkfifo(object, 0o600) == 0)
    let result = try Program.run(["import", fleet, "-o", folder.path("x.db")], in: folder)
    #expect(result.status == 1 && result.error.contains("not a regular file"))
    #expect(unsafe access(folder.path("x.db"), F_OK) != 0)
    let state = fleet + "/state.json"
    #expect(unsafe unlink(state) == 0 && mkfifo(state, 0o600) == 0)
    #expect(try export(status: 1).error.contains("cannot be read"))
  }

  @Test func `Links in a folder of objects are not followed`() throws {
    try record([session(1, day: 0, 4)], run: 1)
    try export()
    #expect(unsafe rename(fleet + "/in", folder.path("elsewhere")) == 0)
    #expect(unsafe symlink(folder.path("elsewhere"), fleet + "/in") == 0)
    #expect(try export(status: 1).error.contains("cannot be listed"))
    let result = try Program.run(["import", fleet, "-o", folder.path("x.db")], in: folder)
    #expect(result.status == 1)
    #expect(unsafe unlink(fleet + "/in") == 0 && mkdir(fleet + "/in", 0o700) == 0)
    #expect(unsafe symlink(folder.path("elsewhere/lobby-3"), fleet + "/in/lobby-3") == 0)
    let linked = try Program.run(["import", fleet, "-o", folder.path("x.db")], in: folder)
    #expect(linked.status == 1 && linked.error.contains("in/lobby-3 is refused"))
  }

  @Test func `A folder with other files is refused`() throws {
    try record([session(1, day: 0, 4)], run: 1)
    #expect(unsafe mkdir(fleet, 0o700) == 0)
    try copy(path, to: fleet + "/other")
    #expect(try export(status: 1).error.contains("contains other"))
  }
}
