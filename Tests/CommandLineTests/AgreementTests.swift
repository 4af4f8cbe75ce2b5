import Glibc
import GridFormats
import HeatmapRendering
import TestSupport
import Testing
import TouchModel

@testable import touchgrid

/// All formats give the same numbers, as programs of others read them.
@Suite struct AgreementTests {
  /// Any shape with partial blocks at its edges, any counts up to 2^40, some masks.
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
      masks: [Rectangle(x: 3, y: 5, width: 20, height: 9)].compactMap { $0 }, sum: counts,
      sumOfSquares: counts.map { UInt128($0) * UInt128($0) },
      touchedSessions: counts.map { min($0, 1) })
  }

  private static let program = #"""
    import csv, json, math, numpy, re, sys
    for index in range(int(sys.argv[1])):
        name = f"{sys.argv[2]}/grid{index}"
        rows = list(csv.DictReader(open(name + ".csv", newline="")))
        grid, = json.load(open(name + ".json"))["grids"]
        columns, mean = grid["geometry"]["columns"], numpy.load(name + ".npy", allow_pickle=False)
        assert mean.shape == (grid["geometry"]["rows"], columns) and len(rows) == mean.size
        blocks = [(int(row["row"]), int(row["column"])) for row in rows]
        assert blocks == [divmod(block, columns) for block in range(mean.size)]
        assert [int(row["count"]) for row in rows] == grid["sum"]
        assert [int(row["count_sq"]) for row in rows] == grid["sumOfSquares"]
        assert [float(row["mean"]) for row in rows] == grid["mean"] == mean.ravel().tolist()
        assert all(row["screen"] == grid["screen"] == "=pay/é" for row in rows)
        # The export: blocks that were touched.
        touched = {block: row for block, row in zip(blocks, rows) if row["count"] != "0"}
        for lines in (list(csv.DictReader(open(name + ".long.csv", newline=""))),
                      [json.loads(line) for line in open(name + ".long.ndjson")]):
            found = {(int(line["row"]), int(line["column"])): line for line in lines}
            assert len(found) == len(lines) and found.keys() == touched.keys()
            for block, line in found.items():
                row = touched[block]
                assert line["screen"] == row["screen"] and line["display"] == row["display"]
                for column in ("count", "count_sq"): assert int(line[column]) == int(row[column])
                for column in ("x0", "y0", "x1", "y1", "scale", "rotation", "block_size"):
                    assert float(line[column]) == float(row[column])
        # The picture: the titles of its cells.
        title = r"column (\d+), row (\d+): ([\d\W]*?) ?[a-z].*?mean ([\d.,e-]*\d)"
        drawn = {(int(row), int(column)): (int(re.sub(r"\D", "", count)), float(mean.replace(",", ""))) for
                 column, row, count, mean in re.findall(title, open(name + ".svg").read())}
        assert drawn.keys() == touched.keys(), (drawn.keys() ^ touched.keys())
        for block, (count, value) in drawn.items():
            assert count == int(touched[block]["count"]), (block, count)
            # Rounded for people: three digits that matter, six decimals at the most.
            assert math.isclose(value, mean[block], rel_tol=0.006, abs_tol=6e-7), (block, value, mean[block])
    print("agreed")
    """#

  @Test func allFormatsGiveTheSameNumbers() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 20_261_121)
    let count = 12
    for index in 0..<count {
      let grid = try grid(&generator)
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
    }
    let program = try folder.write(Self.program, to: "agree.py")
    let result = try Program.run(
      [program, "\(count)", folder.path("")], program: "python3",
      environment: [
        "PYTHONPATH": unsafe getenv("PYTHONPATH").map { unsafe String(cString: $0) } ?? "",
        "PYTHONUTF8": "1",
      ], in: folder)
    #expect(result.text == "agreed\n", "\(result.error)")
  }
}
