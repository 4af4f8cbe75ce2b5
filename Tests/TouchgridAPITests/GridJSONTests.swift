import Foundation
import Testing
import Text
import TouchModel
import TouchgridAPI

@testable import Varlink

@Suite struct GridJSONTests {
  /// Compares what the reply's own `write(to:)` writes with what a general encoder writes.
  private func checkWriting<Reply: Codable & Equatable>(_ reply: Reply) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let written = try #require(Text.JSON.encodedObject(reply))
    #expect(
      String(decoding: written, as: UTF8.self)
        == String(decoding: try encoder.encode(reply), as: UTF8.self))
    #expect(try JSONDecoder().decode(Reply.self, from: Data(written)) == reply)
  }

  /// Fails if `write(to:)` lacks a new member, because its JSON must equal that of a general
  /// encoder.
  @Test(arguments: [true, false]) func `A grid is written exactly as by a general encoder`(
    hasVariance: Bool
  ) throws {
    let key = try Samples.key()
    let blocks = key.geometry.columns * key.geometry.rows
    let counts = (0..<UInt64(blocks)).map { [0, 12, UInt64(Int64.max)][Int($0 % 3)] }
    var summed = try SummedGrid(
      key: key, layer: .dwell, sessions: hasVariance ? 3 : 1, days: 2, shownMilliseconds: 60_000,
      touches: 9, masks: [#require(Rectangle(x: 1.5, y: 2, width: 3, height: 4))],
      sum: Counters(counts),
      sumOfSquares: counts.map { UInt128($0) * UInt128(hasVariance ? $0 : 1) },
      touchedSessions: Counters(counts.map { min($0, 3) }))
    if hasVariance {
      summed.sessionCounts = (0..<3).map { SessionCount(block: $0, session: 7, count: .max) }
    }
    let grid = API.Grid(summed)
    #expect((grid.sessionCounts != nil) == hasVariance)
    #expect((grid.variance != nil) == hasVariance)
    #expect((grid.sumOfSquaresHigh != nil) == hasVariance)
    let reply = API.GetGrids.Reply(grids: [grid, grid])
    try checkWriting(reply)
  }

  @Test func `Counts are written exactly as by a general encoder`() throws {
    let all = try [
      Samples.counts(), API.Counts(Samples.foundControls()), API.Counts(Samples.foundPanel),
    ]
    for counts in all { try checkWriting(counts) }
    #expect(try all[1].found(ControlKind()) == Samples.foundControls())
    #expect(all[2].found(PanelKind()) == Samples.foundPanel)
  }

  @Test func `Counts that cannot be are refused`() throws {
    func isRefused(_ change: (inout API.Counts) -> Void) -> Bool {
      var counts = API.Counts(Samples.foundPanel)
      change(&counts)
      return counts.found(PanelKind()) == nil
    }
    #expect(!isRefused { _ in })
    #expect(isRefused { $0.subject = "{}" })
    #expect(isRefused { $0.sessions = 0 })
    #expect(isRefused { $0.places.removeLast() })
    #expect(isRefused { $0.places.swapAt(0, 1) })
    #expect(isRefused { $0.places[0] = -1 })
    #expect(isRefused { $0.places[$0.places.count - 1] = 3568 })
    #expect(isRefused { $0.counts[0] = 0 })
    #expect(isRefused { $0.counts[0] = -1 })
    let view = try #require(Samples.counts().view)
    #expect(isRefused { $0.view = view })
    var controls = try Samples.counts()
    controls.view?.masks = [API.Rectangle(x: 0, y: 0, width: -1, height: 1)]
    #expect(controls.found(ControlKind()) == nil)
    controls.view = view
    controls.view?.bottomMm = .nan
    #expect(controls.found(ControlKind()) == nil)
  }

  @Test(arguments: [true, false]) func `A frame is written exactly as by a general encoder`(
    isFull: Bool
  ) throws {
    let touch = API.Touch(
      id: 1 << 52, phase: isFull ? .cancelled : .moved, cancellation: isFull ? .palm : nil,
      point: API.Point(x: 12.5, y: 0), previous: isFull ? API.Point(x: 1.0 / 3, y: -1) : nil,
      block: API.Block(column: 3, row: 0), device: "usb \"1\" \\ \n", display: "é", screen: "",
      preexisting: isFull)
    let display = API.Display(
      name: "glass", geometry: API.Geometry(try Samples.key().geometry), geometrySource: .drm,
      screen: "default", devices: ["a", "b"])
    let reply = API.WatchTouches.Reply(
      atUs: 123, touches: isFull ? [touch, touch] : [touch], displays: isFull ? [display] : nil,
      masks: isFull
        ? [API.Mask(screen: "pay", rectangle: .init(x: 1, y: 2, width: 3, height: 4))] : nil)
    // Every member must be set: the comparison would not notice that one is missing if it is nil.
    func isWhole(_ value: Any) -> Bool {
      Mirror(reflecting: value).children.allSatisfy { "\($0.value)" != "nil" }
    }
    #expect(!isFull || isWhole(touch) && isWhole(reply))
    try checkWriting(reply)
  }
}
