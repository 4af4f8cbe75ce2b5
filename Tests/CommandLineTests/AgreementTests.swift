import Glibc
import Heatmaps
import Reports
import TestSupport
import Testing
import Text
import TouchModel

@testable import TouchgridCommands

/// Every output format contains the same numbers: a Python program reads and compares CSV, JSON,
/// NDJSON, NPY, SVG, PNG and the report's page.
@Suite struct AgreementTests {
  /// Returns a grid of random geometry, usually with partial blocks at its edges. It has random
  /// counts up to 2^40 and one mask.
  private func grid(_ generator: inout SeededGenerator) throws -> SummedGrid {
    let geometry = try #require(
      DisplayGeometry(
        pixelWidth: .random(in: 20...400, using: &generator),
        pixelHeight: .random(in: 20...400, using: &generator),
        scale: [1, 1.5, 2].randomElement(using: &generator) ?? 1,
        rotation: Rotation.allCases.randomElement(using: &generator) ?? .none,
        blockSize: [8, 16, 32].randomElement(using: &generator) ?? 16))
    let counts = (0..<geometry.columns * geometry.rows).map { _ in
      Bool.random(using: &generator)
        ? 0
        : UInt64.random(in: 0...1 << 40, using: &generator)
          >> Int.random(in: 0...40, using: &generator)
    }
    let sessions = UInt64.random(in: 1...100_000, using: &generator)
    return SummedGrid(
      key: GridKey(display: "a,\"b\"", screen: "=pay/é", geometry: geometry),
      layer: Layer.allCases.randomElement(using: &generator) ?? .taps, sessions: sessions, days: 3,
      shownMilliseconds: 90_000, touches: 7,
      masks: [Rectangle(x: 3, y: 5, width: 20, height: 9)].compactMap { $0 }, sum: Counters(counts),
      sumOfSquares: counts.map { UInt128($0) * UInt128($0) },
      touchedSessions: Counters(counts.map { min($0, 1) }))
  }

  @Test func `All formats contain the same numbers`() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 20_261_121)
    let count = 12
    var hidden = 0
    let now = Report.Time(at: SampleStore.began, text: "now")
    var report = Report(title: "</script>", made: now, version: "0", span: "all days")
    for index in 0..<count {
      let grid = try grid(&generator)
      hidden += grid.maskedBlocks.count { grid.sum[grid.key.geometry.index(of: $0)] == 0 }
      func path(_ ending: String) -> String { folder.path("grid\(index).\(ending)") }
      try writeFile(GridCSV.bytes([grid]), to: path("csv"))
      try writeFile(GridJSON.bytes([grid], span: .null), to: path("json"))
      try writeFile(GridNPY.bytes(grid), to: path("npy"))
      for form in LongForm.allCases {
        var bytes: [UInt8] = []
        var writer = LongWriter<Never>(form, GridRows.columns) { bytes += $0 }
        GridRows.add(grid, day: "2026-11-21", form, to: &writer)
        writer.finish()
        try writeFile(bytes, to: path("long.\(form.rawValue)"))
      }
      let source = HeatmapSource(words: "all days", metadata: [])
      let drawing = try GridMap(grid, source: source).sheet.drawing()
      try writeFile(try PictureFormat.svg.bytes([drawing]), to: path("svg"))
      var bare = HeatmapOptions()
      bare.isBare = true
      bare.pixelsPerPoint = 1
      bare.scale = index % 2 == 0 ? .log : .linear
      bare.limit = index % 3 == 2 ? 2e6 : nil
      let map = try GridMap(grid, options: bare, source: source).sheet.drawing()
      try writeFile(try PictureFormat.png.bytes([map]), to: path("png"))
      report.add(grid, choice: "all")
    }
    #expect(hidden > 0)
    try writeFile(ReportPage.bytes(report), to: folder.path("report.html"))
    let program = try folder.write(AgreementProgram.text, to: "agree.py")
    let result = try Program.run(
      [program, "\(count)", folder.path("")], program: "python3",
      environment: [
        "PYTHONPATH": unsafe getenv("PYTHONPATH").map { unsafe String(cString: $0) } ?? "",
        "PYTHONUTF8": "1",
      ], in: folder)
    #expect(result.text == "agreed\n", "\(result.error)")
  }
}
