import Heatmaps
import TestSupport
import Testing
import Text
import TouchModel

@testable import Reports

@Suite struct PanelStateTests {
  /// Days of a panel that is touched and swiped across everywhere.
  /// - Parameter broken: how many of the last days skip the vertical line 23.
  private func days(_ count: Int, broken: Int = 0, quiet: ClosedRange<Int>? = nil) -> [PanelDay] {
    PanelDay.swiped(count) { counts, day in
      for column in 0..<PanelCounts.columns {
        for row in 0..<PanelCounts.rows { counts[column: column, row: row] = 1 }
      }
      if day >= count - broken { counts[.skipped, .vertical, 23] = 40 }
      for line in quiet.map(Array.init) ?? [] {
        counts[.crossed, .horizontal, line] = 0
        for column in 0..<PanelCounts.columns { counts[column: column, row: line] = 0 }
      }
    }
  }

  private func state(_ days: [PanelDay], sight: PanelSight? = PanelSight()) -> PanelState {
    PanelState(PanelKey.wide, name: "Panel", sight: sight, days: days)
  }

  @Test func `A day's number and its text agree, and other texts are no day`() {
    for number in stride(from: -700_000, through: 2_932_896, by: 97) {
      #expect(PanelDay.number(of: DateText.of(number)) == number)
    }
    for text in ["", "2026-02-29", "2026-2-01", "2026-13-01", "+026-01-01", "2026-01-01-", "a-b-c"]
    {
      #expect(PanelDay.number(of: text) == nil, "\(text)")
    }
  }

  @Test func `A panel without a fault is good, and it says what else is needed`() {
    let early = state(days(PanelState.neededDays - 1))
    #expect(early.verdict == .good && early.gaps.isEmpty)
    #expect(
      early.summary
        == "no fault found in 27 days; to find each kind takes 1 more day with 20 touches")
    let good = state(days(PanelState.neededDays))
    #expect(good.verdict == .good && good.summary == "no fault found in 28 days")
    #expect(
      good.basis
        == "28 days with at least 20 touches, from 2024-10-04 to 2024-10-31; 86,016 touches")
    #expect(good.gaps.count == 1 && good.gaps[0].contains("drift of the calibration"))
    #expect(state([]).verdict == .untouched && state([]).basis == "no touch was counted yet")
  }

  @Test func `A panel of which little was counted lately says so`() {
    let hours = PanelDay.atNoon(10)
    // Everything was masked, or counting was switched off. Days without sessions do not matter.
    let masked = (40..<100).map {
      PanelDay(number: PanelDay.first + $0, sessions: hours, masked: 100)
    }
    let state = state(days(40) + masked)
    #expect(state.findings.isEmpty)
    #expect(state.summary == "no fault found in 40 days; little was counted since 2024-11-12")
    let closed = (40..<42).map { PanelDay(number: PanelDay.first + $0) }
    #expect(self.state(days(40) + closed).summary == "no fault found in 40 days")
  }

  @Test func `Days on which nothing was counted of any panel are no silence`() {
    let hours = PanelDay.atNoon(100)
    func state(touched: UInt64?) -> PanelState {
      var all = days(40)
      for day in all.indices { (all[day].sessions, all[day].touched) = (hours, 100) }
      return self.state(
        all
          + (40..<45).map {
            PanelDay(number: PanelDay.first + $0, sessions: hours, touched: touched)
          })
    }
    #expect(state(touched: 0).findings.map(\.kind) == [.silence])
    #expect(state(touched: nil).findings.isEmpty)
  }

  @Test func `Lines that nobody uses are not called good`() {
    let state = state(days(40, quiet: 40...47))
    #expect(state.unused(.horizontal) == Array(40...47) && state.unused(.vertical).isEmpty)
    #expect(
      state.gaps.last?.hasPrefix("8 of 48 horizontal lines: people hardly touch them") == true)
  }

  @Test func `A fault is found before enough was counted, and says where it is`() throws {
    let state = state(days(20, broken: 4))
    #expect(state.verdict == .faulty && state.summary == "1 fault found")
    let finding = try #require(state.findings.first)
    #expect(
      state.headline(finding)
        == "Vertical line 24 of 64, 115 to 120 mm from the left edge, is probably dead.")
    #expect(finding.certainty.contains("less than once in 100 years"))
  }

  @Test func `Ghosts at few places are to be covered, and ghosts everywhere are not`() throws {
    func state(
      stray: [PanelCell: UInt64] = [:], _ ghosts: (Int) -> (column: Int, row: Int)?
    ) throws -> PanelState {
      var all = days(40)
      for day in all.indices.suffix(3) {
        for number in 0..<400 {
          guard let cell = ghosts(number) else { continue }
          all[day].counts[column: cell.column, row: cell.row] += 1
          all[day].counts[shortIn: 3] += 1
        }
        all[day].strayGhosts = stray
      }
      let geometry = try #require(
        DisplayGeometry(pixelWidth: 1280, pixelHeight: 960, rotation: .half))
      let placement = Placement(
        device: "usb-1", x: .init(minimum: 0, maximum: 6399), y: .init(minimum: 0, maximum: 3599),
        display: "a", geometry: geometry, displaySource: .drm)
      return PanelState(PanelKey.wide, placement: placement, days: all)
    }
    // Two spots: one at the corner, of three cells, and one cell. A cell has 20 x 20 points.
    let spots = try state { $0 % 4 == 3 ? (30, 10) : ([0, 1, 1][$0 % 4], [0, 0, 1][$0 % 4]) }
    #expect(spots.findings.map(\.kind) == [.ghosts])
    #expect(
      spots.covers.map(\.rectangle) == [
        Rectangle(x: 1230, y: 910, width: 50, height: 50),
        Rectangle(x: 650, y: 730, width: 40, height: 40),
      ])
    #expect(spots.covers.allSatisfy { $0.display == "a" })
    let everywhere = try state { (7 * $0 % 64, 11 * $0 % 48) }
    #expect(everywhere.findings.map(\.kind) == [.ghosts] && everywhere.covers.isEmpty)
    // A rhythm outside of sessions.
    let rhythm = try state(stray: [PanelCell(column: 30, row: 10): 100]) { _ in nil }
    #expect(rhythm.findings.map(\.cause) == [.controller])
    #expect(rhythm.covers.map(\.rectangle) == [spots.covers[1].rectangle])
  }

  @Test func `Places are counted from the edges that people see`() throws {
    func words(_ matrix: String, _ rotation: Rotation, _ lines: ClosedRange<Int>) throws -> String {
      let sight = PanelSight(try #require(CalibrationMatrix(matrix)), rotation)
      return PanelPlace(lines, .vertical, on: PanelKey.wide, sight: sight).words
    }
    #expect(
      try words("-1 0 1 0 1 0", .none, 0...0)
        == "vertical line 64 of 64, 315 to 320 mm from the left edge")
    #expect(
      try words("1 0 0 0 1 0", .quarter, 0...1)
        == "horizontal lines 63 to 64 of 64, 310 to 320 mm from the top edge")
    let bare = PanelKey(
      device: "", x: PanelAxis(minimum: 0, maximum: 99), y: PanelAxis(minimum: 0, maximum: 99))
    #expect(
      PanelPlace(12...12, .horizontal, on: bare, sight: nil).words
        == "horizontal line 13 of 48, 25 to 27 % from where its y axis begins")
  }

  /// A finger in the middle of a cell is drawn where the daemon would place it.
  @Test(arguments: [
    "1 0 0 0 1 0", "0 -1 1 1 0 0", "-1 0 1 0 -1 1", "0 1 0 -1 0 1", "-1 0 1 0 1 0",
    "1 0 0 0 -1 1", "0 1 0 1 0 0", "0 -1 1 -1 0 1",
  ])
  func `The picture shows the panel as people see it`(matrix: String) throws {
    for rotation in Rotation.allCases {
      let matrix = try #require(CalibrationMatrix(matrix))
      let sight = PanelSight(matrix, rotation)
      var (across, down) = (1024, 768)
      if sight.swapsAxes { swap(&across, &down) }
      let isTurned = rotation == .quarter || rotation == .threeQuarters
      let geometry = try #require(
        DisplayGeometry(
          pixelWidth: isTurned ? down : across, pixelHeight: isTurned ? across : down,
          rotation: rotation))
      let placement = Placement(
        device: "usb-1", x: .init(minimum: 0, maximum: 6399), y: .init(minimum: 0, maximum: 3599),
        matrix: matrix, display: "a", geometry: geometry, displaySource: .drm)
      for (column, row) in [(0, 0), (63, 0), (5, 40), (33, 47), (63, 47)] {
        var day = days(1)[0]
        day.counts = PanelCounts()
        day.counts[column: column, row: row] = 7
        let sheet = try #require(PanelMap(state([day], sight: sight)).sheet)
        let seen = placement.locate(rawX: Int32(column * 100 + 50), rawY: Int32(row * 75 + 37))
        #expect(sheet.cells.map(\.block) == [seen.block])
        #expect(abs((sheet.shape ?? 0) - (sight.swapsAxes ? 180.0 / 320 : 320.0 / 180)) < 1e-9)
      }
    }
  }

  @Test func `The picture frames the lines of a finding, in the shape of the panel`() throws {
    let sheet = try #require(PanelMap(state(days(20, broken: 4))).sheet)
    let frame = try #require(sheet.frames.first)
    #expect(sheet.frames.count == 1 && frame.from == Block(column: 23, row: 0))
    #expect(frame.to == Block(column: 23, row: 47))
    #expect(sheet.title == "Panel: 1 fault found" && frame.title.hasPrefix("Vertical line 24"))
    let drawing = try sheet.drawing()
    let boxes = drawing.shapes.compactMap { shape -> Box? in
      guard case .rectangle(let box, let ink, let title) = shape else { return nil }
      return ink == frame.ink && title == frame.title ? box : nil
    }
    #expect(boxes.count == 4)
    let (left, right) = (boxes.map(\.x).min() ?? 0, boxes.map(\.right).max() ?? 0)
    let (top, bottom) = (boxes.map(\.y).min() ?? 0, boxes.map(\.bottom).max() ?? 0)
    // 16 pixels and the frame around them. The panel has 16:9.
    #expect((18...24).contains(right - left) && bottom - top == 576)
    #expect(try PictureFormat.png.bytes([drawing]).starts(with: [0x89, 0x50]))
    guard case .object(let members) = drawing.metadata else { return }
    #expect(members.contains { $0.name == "format" && $0.value == "touchgrid-panel" })
  }
}
