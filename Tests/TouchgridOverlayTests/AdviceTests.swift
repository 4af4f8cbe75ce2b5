import Testing
import TouchModel
import TouchgridAPI

@testable import TouchgridOverlay

@Suite struct AdviceTests {
  private func advice(
    _ displays: [String], _ outputs: [String?], _ chosen: [String: String] = [:],
    width: Int = 1280, height: Int = 800
  ) throws -> [String] {
    let geometry = API.Geometry(
      try #require(DisplayGeometry(pixelWidth: width, pixelHeight: height)))
    let match = OutputMatch(displays: displays, outputs: outputs, chosen: chosen)
    return Advice.about(
      match, Dictionary(uniqueKeysWithValues: displays.map { ($0, geometry) }),
      outputs.map { Advice.Output(name: $0, width: 1920, height: 1080) }, chosen: chosen
    ).map(\.text)
  }

  @Test func `Matching displays and outputs need no advice`() throws {
    #expect(try advice(["DSI-1"], ["DSI-1"]).isEmpty)
    #expect(try advice(["kiosk"], ["DP-1"]).isEmpty)
    #expect(try advice(["kiosk"], ["DP-1", "DP-2"], ["kiosk": "DP-2"]).isEmpty)
  }

  @Test func `A missing output is reported with the existing ones`() throws {
    #expect(
      try advice(["HEADLESS-1"], ["HEADLESS-1"], ["HEADLESS-1": "DP-7"])
        == ["there is no output DP-7; the outputs are HEADLESS-1"])
    #expect(
      try advice(["kiosk"], [nil], ["kiosk": "DP-7"])
        == ["there is no output DP-7; the desktop reports no names of outputs"])
  }

  @Test func `A missing display is reported with the existing ones`() throws {
    #expect(
      try advice(["HEADLESS-1"], ["HEADLESS-1"], ["nosuch": "HEADLESS-1"])
        == ["the daemon has no display nosuch; its displays are HEADLESS-1"])
    // There is only one hint, because `kiosk` has no output only due to its misspelt name.
    #expect(
      try advice(["kiosk"], ["DP-1", "DP-2"], ["kiosc": "DP-1"])
        == ["the daemon has no display kiosc; its displays are kiosk"])
  }

  @Test func `A display without a matching output is reported with the remedy`() throws {
    #expect(
      try advice(["kiosk"], ["DP-1", "DP-2"]) == [
        "no output has the name of the display, kiosk; the outputs are DP-1, DP-2. Choose one with "
          + "--monitor kiosk=OUTPUT"
      ])
    #expect(try advice(["kiosk"], []) == ["the desktop has no output to draw on"])
  }

  @Test func `A portrait display on a landscape output is reported`() throws {
    #expect(
      try advice(["DSI-1"], ["DSI-1"], width: 800, height: 1280) == [
        "display DSI-1 is portrait, but output DSI-1 is landscape: set rotation in the "
          + "[[display]] of DSI-1 in touchgridd.toml, and reload the daemon"
      ])
    #expect(Advice.mismatch(width: 800, height: 800, 1920, 1080) == nil)
    #expect(Advice.mismatch(width: 1280, height: 800, 1080, 1920)?.display == "landscape")
  }

  @Test func `Each advice is reported once, and their number is limited`() {
    var said = ReportedAdvice()
    let twice = [said.isNew("0"), said.isNew("0")]
    #expect(twice == [true, false])
    let more = (1...1000).map { said.isNew("\($0)") }
    #expect(more.count { $0 } == ReportedAdvice.limit - 1)
  }
}
