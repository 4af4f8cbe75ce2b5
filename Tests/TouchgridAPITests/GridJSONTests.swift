import Foundation
import Testing
import TouchModel
import TouchgridAPI

@testable import Varlink

@Suite struct GridJSONTests {
  /// What a grid writes of itself is what an encoder would: no member is forgotten when one is added.
  @Test(arguments: [true, false]) func aGridIsWrittenAsAnEncoderWould(hasVariance: Bool) throws {
    let key = try Samples.key()
    let grid = try API.Grid(
      key: key, layer: .dwell, sessions: 3, days: 2, shownMilliseconds: 60_000, touches: 9,
      masks: [#require(Rectangle(x: 1.5, y: 2, width: 3, height: 4))], sum: [0, 12, .max],
      mean: [0, 0.25, 1.0 / 3], variance: hasVariance ? [0, 1.5, 2] : nil,
      touchedSessions: [0, 1, 3])
    let reply = API.GetGrids.Reply(grids: [grid, grid])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let written = try #require(Varlink.JSON.encodedObject(reply))
    #expect(
      String(decoding: written, as: UTF8.self)
        == String(decoding: try encoder.encode(reply), as: UTF8.self))
    #expect(try JSONDecoder().decode(API.GetGrids.Reply.self, from: Data(written)) == reply)
  }
}
