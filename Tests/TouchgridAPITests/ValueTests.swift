import Foundation
import Testing
import TouchModel
import TouchgridAPI

/// Tests values as they may arrive over a socket: too large, impossible or malicious.
@Suite struct ValueTests {
  @Test func `Counts beyond 63 bits become the largest number`() throws {
    var totals = SessionTotals()
    totals.begun = .max
    #expect(API.Totals(totals).begun == .max)
    let key = try Samples.key()
    var counters = Counters(count: key.geometry.columns * key.geometry.rows)
    counters[1] = .max
    let grid = API.Grid(
      SummedGrid(
        Grid(key: key, layer: .dwell, counters: counters),
        view: ScreenView(key: key, shownMilliseconds: 5, touches: 1)))
    #expect(grid.sum.prefix(2) == [0, .max])
    #expect(grid.touchedSessions.prefix(2) == [0, 1])
    #expect(grid.mean[0] == 0 && grid.variance == nil)
  }

  @Test func `A session and a geometry are converted back unchanged`() throws {
    #expect(Samples.session.sessionRecord == Samples.record)
    #expect(try Samples.geometry().displayGeometry == Samples.displayGeometry())
  }

  @Test func `An impossible geometry is refused`() throws {
    let text = String(decoding: try JSONEncoder().encode(Samples.geometry()), as: UTF8.self)
    for (from, to) in [
      (#""rotation":90"#, #""rotation":45"#), (#""scale":1.5"#, #""scale":0"#),
      (#""columns":27"#, #""columns":1000000"#), (#""pixelWidth":720"#, #""pixelWidth":-720"#),
    ] {
      let parts = text.split(separator: from, omittingEmptySubsequences: false)
      try #require(parts.count == 2, "\(from) in \(text)")
      let geometry = try JSONDecoder().decode(
        API.Geometry.self, from: Data(parts.joined(separator: to).utf8))
      #expect(geometry.displayGeometry == nil)
    }
  }

  @Test func `Control characters in an error's text are escaped`() {
    let fault = API.InvalidValue("name", "\u{1b}[2J" + String(repeating: "x", count: 500), "no")
    #expect(fault.value.hasPrefix("\\u{1b}[2J") && fault.value.count < 200)
    #expect(!fault.message.contains("\u{1b}"))
    let display = API.NoSuchDisplay("a\nb", known: ["c\nd"])
    #expect(!display.message.contains("\n") && !display.display.contains("\n"))
  }

  @Test func `The error about a missing group says how to join it`() {
    let message = API.NotPermitted(.read, group: "touchgrid-read").message
    #expect(message.contains("usermod -aG touchgrid-read"))
    #expect(API.NotPermitted(.read, group: nil).message.contains("to no group"))
  }
}
