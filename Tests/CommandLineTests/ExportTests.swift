import Glibc
import Storage
import TestSupport
import Testing
import TouchModel

@testable import TouchgridCommands

@Suite final class ExportTests: FolderSuite {
  private var export: String { folder.path("export") }

  private static let days: Int64 = 24 * 60

  /// Returns five sessions of four days: one without touches, one with tags and a second layer, one
  /// with two geometries, one with a rotated display, and one that is still running.
  private func records() throws -> [SessionRecord] {
    let wide = try geometry()
    let tall = try #require(
      DisplayGeometry(pixelWidth: 150, pixelHeight: 90, scale: 1.5, rotation: .quarter))
    let (menu, turned) = (SampleStore.key("menu", wide), SampleStore.key("menu", tall))
    let other = SampleStore.key("=a,\"b\"", display: "HDMI-A-1", wide)
    let block = Block(column: 2, row: 1)
    var two = SampleStore.session(
      2, after: Self.days, tags: ["build": "1.4", "a": "\"x\", y"],
      [menu: [block: 5, Block(column: 9, row: 5): 1], other: [block: 1 << 40]])
    let taps = try #require(two.changedGrids.first { $0.key == menu })
    two.changedGrids.append(Grid(key: menu, layer: .dwell, counters: taps.counters))
    two.changedCounts = [SubjectCounts(SampleStore.panel(7))]
    return [
      SampleStore.session(1, [menu: [:]]), two,
      SampleStore.session(3, after: Self.days + 60, [menu: [block: 2], turned: [block: 3]]),
      SampleStore.session(4, after: 2 * Self.days, [turned: [Block(column: 0, row: 6): 7]]),
      SampleStore.session(5, after: 3 * Self.days, end: nil, [menu: [block: 4]]),
    ]
  }

  private func run(_ arguments: String..., store: String) throws -> Program.Result {
    try Program.run(["export", "-o", export, "--store", store] + arguments, in: folder)
  }

  /// Returns the content of every file in the export, by path.
  private func tree() throws -> [String: [UInt8]] {
    let found = try Program.run([export, "-type", "f"], program: "find", in: folder)
    let paths = found.text.split(separator: "\n").map { String($0) }
    return try Dictionary(
      uniqueKeysWithValues: paths.map {
        (String($0.dropFirst(export.utf8.count + 1)), try TemporaryFolder.contents($0))
      })
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try TemporaryFolder.contents(export + "/" + path), as: UTF8.self)
  }

  @Test func `A day is a folder of tables`() throws {
    let store = try SampleStore.make(records(), in: folder)
    let result = try run(store: store)
    #expect(result.status == 0 && result.text == "" && result.error == "")
    let tables = [
      "controls", "counts", "days", "funnels", "grids", "panels", "sessions", "steps", "views",
      "visits",
    ].flatMap { (table: String) -> [String] in
      ["day=2026-11-22/\(table).csv", "day=2026-11-22/\(table).ndjson"]
    }
    #expect(try tree().keys.filter { $0.hasPrefix("day=2026-11-22") }.sorted() == tables)
    let grids = try text("day=2026-11-22/grids.csv").split(separator: "\n").prefix(3)
    #expect(
      grids.map(String.init) == [
        "day,screen,display,pixel_width,pixel_height,scale,rotation,block_size,layer,column,row,"
          + "x0,y0,x1,y1,count,count_sq,touched_sessions",
        "2026-11-22,\"=a,\"\"b\"\"\",HDMI-A-1,160,96,1,0,16,taps,2,1,32,16,48,32,1099511627776,"
          + "1208925819614629174706176,1",
        "2026-11-22,menu,HDMI-A-1,150,90,1.5,90,16,taps,2,1,32,16,48,32,3,9,1",
      ])
    #expect(
      try text("day=2026-11-22/views.ndjson").split(separator: "\n").first == """
        {"day":"2026-11-22","screen":"=a,\\"b\\"","display":"HDMI-A-1","pixel_width":160,\
        "pixel_height":96,"scale":1,"rotation":0,"block_size":16,"sessions":1,\
        "touches":1099511627776,"shown_ms":61000,"masks":[]}
        """)
    #expect(
      try text("day=2026-11-22/sessions.csv").hasPrefix(
        """
        day,session,began,last_active,ended,end,tags,begun,counted,masked,palms,suspected_ghosts,\
        swallowed,still_down,preexisting,cancelled,clamped_samples,drops
        2026-11-22,2,2026-11-22T13:03:12.345Z,2026-11-22T13:15:46.345Z,2026-11-22T13:15:46.345Z,\
        idle,"{""a"":""\\""x\\"", y"",""build"":""1.4""}",1099511627785,1099511627782,3,0,0,0,0,0,0,0,0

        """))
    #expect(try text("day=2026-11-24/sessions.csv").contains("Z,,,{},8,4,3,0,0,0,1,"))
    // Two sessions, at 14:03 and 15:03 in Berlin, with 3 masked touches each.
    let hours = (0..<24).map { (14...15).contains($0) ? "1" : "0" }.joined(separator: ",")
    #expect(
      try text("day=2026-11-22/days.csv") == """
        day,sessions,begun,counted,masked,palms,suspected_ghosts,swallowed,still_down,preexisting,\
        cancelled,clamped_samples,drops,ghosts_outside_sessions,hours
        2026-11-22,2,1099511627793,1099511627787,6,0,0,0,0,0,0,0,0,0,"[\(hours)]"

        """)
    func zeros(_ count: Int) -> String {
      Array(repeating: "0", count: count).joined(separator: ",")
    }
    #expect(
      try text("day=2026-11-22/panels.ndjson") == """
        {"day":"2026-11-22","device":"usb-1","x_minimum":-1,"x_maximum":4095,"x_per_mm":12,\
        "y_minimum":0,"y_maximum":2047,"y_per_mm":null,"sessions":1,\
        "touch_downs":[0,7,\(zeros(3070))],"crossed":[\(zeros(66)),7,\(zeros(45))],\
        "skipped":[\(zeros(66)),3,\(zeros(45))],"pairs":[\(zeros(112))],"intervals":[\(zeros(16))],\
        "resting_reports":[\(zeros(47)),21],"resting_squares":[\(zeros(47)),7000],\
        "short":[\(zeros(24))],"ghosts":[\(zeros(23)),1]}

        """)
    #expect(try text("day=2026-11-23/panels.csv").split(separator: "\n").count == 1)
    // Without touches there are rows in views.csv, but none in grids.csv.
    #expect(try text("day=2026-11-21/grids.csv").split(separator: "\n").count == 1)
    #expect(try text("day=2026-11-21/views.csv").split(separator: "\n").count == 2)
    // A day's folder contains only rows of that day.
    for (path, bytes) in try tree() where path.hasSuffix(".csv") {
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst()
      #expect(lines.allSatisfy { $0.hasPrefix(path.dropFirst(4).prefix(10) + ",") })
    }
  }

  @Test func `A second export changes only the rows of deleted sessions`() throws {
    let store = try SampleStore.make(records(), in: folder)
    #expect(try run(store: store).status == 0)
    let first = try tree()
    #expect(try run(store: store).status == 0)
    #expect(try tree() == first)

    // The roll-up and the deletion of sessions do not change the sums. Only the rows of the deleted
    // sessions disappear.
    let writer = try Store(path: store)
    try writer.rollUp(today: try #require(Day("2026-11-24")))
    #expect(try run(store: store).status == 0)
    #expect(try tree() == first)
    try SampleStore.drop(
      before: WallTime(milliseconds: SampleStore.began.milliseconds + Self.days * 60_000 * 3 / 2),
      in: writer)
    #expect(try run(store: store).status == 0)
    let last = try tree()
    for (path, bytes) in first where !path.contains("/sessions.") {
      #expect(last[path] == bytes, "\(path)")
    }
    #expect(last.count == first.count)
    #expect(try text("day=2026-11-22/sessions.csv").split(separator: "\n").count == 1)
    #expect(try text("day=2026-11-23/sessions.csv").split(separator: "\n").count == 2)
  }

  @Test func `Views list the masks`() throws {
    var records = try records()
    let mask = try #require(Rectangle(x: 3, y: 5.5, width: 20, height: 9))
    let other = try #require(Rectangle(x: 64, y: 0, width: 16, height: 16))
    for view in records[2].changedViews.indices {
      let isWide = records[2].changedViews[view].key.geometry.scale == 1
      records[2].changedViews[view].masks = isWide ? [mask] : [mask, other]
    }
    let store = try SampleStore.make(records, in: folder)
    #expect(try run(store: store).status == 0)
    let lines = try text("day=2026-11-22/views.csv").split(separator: "\n").dropFirst()
    let seen = lines.map { String($0.split(separator: "[", maxSplits: 1).last ?? "") }
    let one = #"{""x"":3,""y"":5.5,""width"":20,""height"":9}"#
    let two = #"{""x"":64,""y"":0,""width"":16,""height"":16}"#
    #expect(Set(seen) == ["]", one + #"]""#, two + "," + one + #"]""#], "\(lines)")
    let json = try text("day=2026-11-22/views.ndjson")
    #expect(json.contains(#""masks":[{"x":3,"y":5.5,"width":20,"height":9}]}"#))
  }

  @Test func `An exported day is replaced as a whole, and other days stay`() throws {
    let store = try SampleStore.make(records(), in: folder)
    #expect(try run(store: store).status == 0)
    let first = try tree()
    try Store(path: store).write(
      SampleStore.session(
        6, after: 2 * Self.days + 5,
        [SampleStore.key("menu", try geometry()): [Block(column: 0, row: 0): 1]]))
    #expect(try run("--since", "2026-11-24", store: store).status == 0)
    #expect(try tree() == first)
    #expect(try run("--since", "2026-11-23", "--until", "2026-11-23", store: store).status == 0)
    let second = try tree()
    #expect(
      Set(second.filter { first[$0.key] != $0.value }.keys.map { $0.prefix(14) })
        == ["day=2026-11-23"])
    // With fewer layers and one format, the day's other files are removed.
    let narrowed = try run(
      "--since", "2026-11-22", "--until", "2026-11-22", "--layer", "dwell", "--format", "csv",
      store: store)
    #expect(narrowed.status == 0)
    #expect(try tree().keys.filter { $0.hasPrefix("day=2026-11-22") }.count == 10)
    #expect(try !text("day=2026-11-22/grids.csv").contains(",taps,"))
    #expect(try text("day=2026-11-22/grids.csv").contains(",dwell,"))
    #expect(try text("day=2026-11-22/views.csv").split(separator: "\n").count == 4)
  }

  @Test func `Days that the store no longer has are removed from the export`() throws {
    let store = try SampleStore.make(records(), in: folder)
    #expect(try run(store: store).status == 0)
    let (day, older) = (export + "/day=2026-11-22", export + "/day=2026-10-01")
    #expect(unsafe rename(day, older) == 0)
    #expect(try run("--since", "2026-11-01", store: store).status == 0)
    #expect(try tree()["day=2026-10-01/days.csv"] != nil)
    #expect(try run(store: store).status == 0)
    #expect(try !FolderListing.names(export).contains("day=2026-10-01"))
    #expect(try FolderListing.names(export).filter { $0.hasPrefix("day=") }.count == 4)
    let nothing = try run("--until", "2026-10-01", store: store)
    #expect(nothing.status == 1)
    #expect(nothing.error.contains("no session began on these days"))
  }

  @Test func `Files that are not from an export are never changed`() throws {
    let store = try SampleStore.make(records(), in: folder)
    let made = try Program.run(["-p", export + "/photos"], program: "mkdir", in: folder)
    #expect(made.status == 0)
    let refused = try run(store: store)
    #expect(refused.status == 1)
    #expect(
      refused.error.contains("is not an export folder: it contains photos; name a new folder"))
    #expect(try FolderListing.names(export) == ["photos"])

    unsafe rmdir(export + "/photos")
    #expect(try run(store: store).status == 0)
    _ = try folder.write("mine", to: "export/day=2026-11-23/notes.txt")
    _ = try folder.write("mine", to: "export/README")
    let before = try tree()
    let second = try run(store: store)
    #expect(
      second.status == 1 && second.error.contains("contains notes.txt, which is not from an export")
    )
    #expect(try tree() == before)
    // An export of another day succeeds.
    #expect(try run("--since", "2026-11-24", store: store).status == 0)
    #expect(try tree() == before)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
  func `After an interruption, each day is either the old or the new one`(signal: Int32) throws {
    let store = try SampleStore.make(records(), in: folder)
    #expect(try run(store: store).status == 0)
    let old = try tree()
    try Store(path: store).write(
      SampleStore.session(
        6, after: Self.days + 5,
        [SampleStore.key("menu", try geometry()): [Block(column: 0, row: 0): 1]]))
    // The signal arrives in the middle of writing the second day's grids.csv.
    let library = try Interruption.library(in: folder)
    let result = try Program.run(
      ["export", "-o", export, "--store", store],
      environment: [
        "LD_PRELOAD": library, "END": "\(signal)", "LEAST": "200", "FILE": "grids.csv",
      ],
      in: folder)
    #expect(result.status == -signal)
    let left = try tree().filter { old[$0.key] != $0.value }.keys
    #expect(left.allSatisfy { signal == SIGKILL && $0.hasPrefix(".touchgrid-new/") })
    #expect(try Set(tree().keys).isSuperset(of: old.keys))
    #expect(try FolderListing.names(export).contains(".touchgrid-new") == (signal == SIGKILL))

    #expect(try run(store: store).status == 0)
    #expect(try !FolderListing.names(export).contains(".touchgrid-new"))
    let changed = try tree().filter { old[$0.key] != $0.value }.keys
    #expect(!changed.isEmpty && changed.allSatisfy { $0.hasPrefix("day=2026-11-22") })
  }

  // MARK: The documentation page

  /// Runs the programs of docs/export.md on the export of a store from which old sessions have been
  /// dropped.
  @Test func `The documented queries of an export give the means of the heatmap`() throws {
    let programs = try Project.programs("docs/export.md")
    try #require(programs.count == 2 && programs[0].contains("duckdb"))
    let store = try SampleStore.make(records(), in: folder)
    let writer = try Store(path: store)
    try writer.rollUp(today: try #require(Day("2026-11-24")))
    try SampleStore.drop(
      before: WallTime(milliseconds: SampleStore.began.milliseconds + Self.days * 60_000 * 3 / 2),
      in: writer)
    #expect(try run(store: store).status == 0)
    let heatmap = folder.path("menu.csv")
    let drawn = try Program.run(
      [
        "heatmap", "menu", "--since", "2026-11-01", "--until", "2026-11-30", "--store", store,
        "-o", heatmap,
      ], in: folder)
    #expect(drawn.status == 0)

    for (index, program) in programs.enumerated() {
      let comparison = """

        import csv
        geometry = ["display", "pixel_width", "pixel_height", "scale", "rotation", "block_size"]
        key = lambda row: (row["display"], *(float(row[name]) for name in geometry[1:]),
          int(row["column"]), int(row["row"]))
        found = {key(row): row["mean"] for _, row in means.iterrows()}
        wanted = {key(row): float(row["mean"]) for row in csv.DictReader(open("menu.csv"))}
        assert len(found) == len(means) and found.keys() <= wanted.keys()
        assert all(abs(found.get(key, 0) - mean) < 1e-12 for key, mean in wanted.items())
        print(len(wanted), len(found), sum(mean > 0 for mean in wanted.values()))
        """
      let path = try folder.write(program + comparison, to: "program\(index).py")
      let result = try Program.run(
        ["-c", "cd \"$1\" && exec python3 \"$2\"", "sh", folder.path(""), path], program: "sh",
        environment: [
          "PYTHONPATH": unsafe getenv("PYTHONPATH").map { unsafe String(cString: $0) } ?? ""
        ], in: folder)
      // The two geometries have 10 x 6 and 4 x 7 blocks; 2 blocks of each were touched.
      #expect(result.text.hasSuffix("\n88 4 4\n"), "\(result.text)\(result.error)")
    }
  }
}
