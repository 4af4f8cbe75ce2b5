import Glibc
import Heatmaps
import Recordings
import Storage
import TestSupport
import Testing
import TouchModel
import TouchgridAPI

@testable import TouchgridCommands

/// Commands output the same data from the real daemon, while it records touches, as from the file
/// of its store.
@Suite final class DaemonAgreementTests: FolderSuite {
  /// Returns sessions of four past days, on two screens, two geometries and three layers, with tags
  /// and a mask.
  private func records() throws -> [SessionRecord] {
    var generator = SeededGenerator(seed: 20_261_122)
    let wide = try geometry()
    let tall = try #require(
      DisplayGeometry(pixelWidth: 150, pixelHeight: 90, scale: 1.5, rotation: .quarter))
    let keys = [
      SampleStore.key("menu", wide), SampleStore.key("=pay/é", wide), SampleStore.key("menu", tall),
    ]
    let sinceSample = (WallTime.now.milliseconds - SampleStore.began.milliseconds) / 60_000
    return (0..<16).map { index in
      let shown = keys.filter { _ in Int.random(in: 0...3, using: &generator) > 0 }
      let counts = shown.map { key in
        (0..<8).reduce(into: [Block: UInt64]()) { blocks, _ in
          let block = Block(
            column: .random(in: 0..<key.geometry.columns, using: &generator),
            row: .random(in: 0..<key.geometry.rows, using: &generator))
          blocks[block] = .random(in: 0...4_000_000, using: &generator)
        }
      }
      let days = Int64(index / 4) - 5
      var record = SampleStore.session(
        Int64(index + 1), after: sinceSample + days * 1440 + Int64(index),
        tags: ["build": index.isMultiple(of: 2) ? "1.3" : "1.4"],
        Dictionary(zip(shown, counts)) { first, _ in first })
      for grid in record.changedGrids {
        for layer in [Layer.trail, .dwell] {
          record.changedGrids.append(
            Grid(key: grid.key, layer: layer, counters: grid.counters))
        }
      }
      if index % 3 == 0 {
        record.changedCounts = [SubjectCounts(SampleStore.panel(UInt64(index) + 1))]
      }
      if index == 5, let mask = Rectangle(x: 3, y: 5, width: 20, height: 9) {
        for view in record.changedViews.indices { record.changedViews[view].masks = [mask] }
      }
      return record
    }
  }

  @Test func `The daemon and the file of its store give the same output`() throws {
    let store = try SampleStore.make(records(), in: folder)
    let socket = folder.path("socket")
    let place = try TemporaryFolder()
    let daemon = try Program.start(
      [
        "--config", folder.write("", to: "touchgridd.toml"), "--store", store, "--socket", socket,
        "--replay", folder.write(taps(300).evemuText, to: "taps.evemu"), "--pace", "recorded",
      ], program: Program.path + "d", in: place)
    defer { kill(daemon.process, SIGKILL) }
    func isRunning() throws -> Bool {
      let status = try Program.run(["status", "--json", "--socket", socket], in: folder)
      return status.status == 0 && status.text.contains("\"counted\"")
    }
    try waitUntil(isRunning)

    let yesterday = try #require(
      LocalTime(WallTime(milliseconds: WallTime.now.milliseconds - 86_400_000)))
    let until = ["--until", yesterday.dateText]
    let commands = [
      ["export", "-o", "export"] + until,
      ["heatmap", "-o", "all.csv"] + until,
      ["heatmap", "-o", "all.json", "--layer", "dwell", "--tag", "build=1.4"] + until,
      ["heatmap", "-o", "rate.svg", "--value", "rate", "--tag", "build=1.3"] + until,
      ["heatmap", "=pay/é", "-o", "pay.npy", "--tag", "build=1.4"] + until,
      ["heatmap", "=pay/é", "-o", "pay.png", "--tag", "build=1.4", "--smooth", "20"] + until,
      ["heatmap", "-o", "menu.svg", "--session", "6"],
      ["compare", "build=1.3", "build=1.4", "-o", "two.json"] + until,
      ["compare", "build=1.3", "build=1.4", "--layer", "trail"] + until,
      ["compare", "build=1.3", "build=1.4", "-o", "two.csv", "--layer", "dwell"] + until,
      ["heatmap", "-o", "mornings.csv", "--hours", "0-12"] + until,
      ["heatmap", "-o", "evenings.json", "--hours", "12-24", "--weekdays", "mon-thu"] + until,
      ["controls", "--json", "--weekdays", "mon-thu", "--hours", "12-24"] + until,
      ["sessions", "--json", "--weekdays", "mon-thu", "--hours", "12-24"] + until,
      ["screens", "--json"] + until,
      ["report", "-o", "report.html", "--weekdays", "mon-sat"] + until,
    ]
    var outputs: [[String]] = []
    for (name, source) in [("file", ["--store", store]), ("daemon", ["--socket", socket])] {
      try #require(unsafe mkdir(folder.path(name), 0o700) == 0)
      outputs.append([])
      for command in commands {
        let result = try Program.run(
          ["-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder.path(name), Program.path]
            + command + source, program: "sh", in: folder)
        #expect(result.status == 0, "\(command): \(result.error)")
        outputs[outputs.count - 1].append(result.text)
      }
    }
    #expect(outputs[0] == outputs[1])
    let screens = try #require(commands.firstIndex { $0[0] == "screens" })
    #expect(outputs[0][screens].contains("\"screens\""))
    // The daemon must still be recording after the commands.
    let live = try Program.run(["heatmap", "--live", "--json", "--socket", socket], in: folder)
    #expect(live.status == 0, "\(live.error)")
    let differing = try Program.run(
      ["-rq", folder.path("file"), folder.path("daemon")], program: "diff", in: folder)
    #expect(
      differing.text.split(separator: "\n").allSatisfy { $0.contains("report.html") },
      "\(differing.text)")
    let found = try Program.run(
      [folder.path("daemon"), "-type", "f"], program: "find", in: folder)
    // The export has eight files for each of the four days, and the file that marks an export.
    // Session 6 has two or three maps. The other commands write at least seven files.
    #expect(found.text.split(separator: "\n").count >= 4 * 8 + 1 + 2 + 7)

    // The reports differ only in the time they were made, in the touchscreens, of which only the
    // daemon knows which are connected, and in their states.
    let reports = try Program.run(
      [
        "-c",
        """
        import json, re, sys
        pages = [open(path).read() for path in sys.argv[1:]]
        found = [re.search('id="touchgrid-data">(.*?)</script>', page, re.S)[1] for page in pages]
        file, daemon = map(json.loads, found)
        for name in ("made", "devices", "panels"): file.pop(name), daemon.pop(name)
        for name in file: assert file[name] == daemon[name], (name, file[name], daemon[name])
        assert file == daemon and len(file["screens"]) == 3
        print("the same")
        """, folder.path("file/report.html"), folder.path("daemon/report.html"),
      ], program: "python3", environment: ["PYTHONUTF8": "1"], in: folder)
    #expect(reports.text == "the same\n", "\(reports.error)")
    kill(daemon.process, SIGTERM)
    #expect(try daemon.finish().status == 0)
  }
}
