import Testing

@testable import TouchgridOverlay

@Suite struct OutputMatchTests {
  private func match(
    _ displays: [String], _ outputs: [String?], _ chosen: [String: String] = [:]
  ) -> OutputMatch {
    OutputMatch(displays: displays, outputs: outputs, chosen: chosen)
  }

  @Test func equalNamesBelongTogether() {
    let found = match(["DSI-1", "DP-2"], ["DP-2", "DSI-1"])
    #expect(found.displays == [["DP-2"], ["DSI-1"]])
    #expect(found.unplaced.isEmpty)
  }

  @Test func theKernelAndXNameAConnectorDifferently() {
    #expect(match(["HDMI-A-1"], ["DP-1", "HDMI-1"]).displays == [[], ["HDMI-A-1"]])
    #expect(match(["HDMI-A-1"], ["DP-1", "HDMI-2"]).unplaced == ["HDMI-A-1"])
  }

  @Test func theOnlyOutputShowsAnyDisplay() {
    #expect(match(["kiosk"], ["HDMI-A-1"]).displays == [["kiosk"]])
    #expect(match(["kiosk"], [nil]).displays == [["kiosk"]])
    #expect(match(["a", "b"], ["HDMI-A-1"]).displays == [["a", "b"]])
  }

  @Test func theOnlyOutputShowsNoOtherWhereItsOwnIsThere() {
    let found = match(["HDMI-A-1", "HDMI-A-2"], ["HDMI-A-1"])
    #expect(found.displays == [["HDMI-A-1"]])
    #expect(found.unplaced == ["HDMI-A-2"])
  }

  @Test func aChoiceComesFirst() {
    let found = match(["DP-1", "kiosk"], ["DP-1", "DP-2"], ["kiosk": "DP-1", "DP-1": "DP-2"])
    #expect(found.displays == [["kiosk"], ["DP-1"]])
    #expect(match(["kiosk"], ["DP-1"], ["kiosk": "DP-9"]).unplaced == ["kiosk"])
  }

  @Test func amongSeveralOutputsNothingIsGuessed() {
    let found = match(["kiosk"], ["DP-1", "DP-2"])
    #expect(found.displays == [[], []])
    #expect(found.unplaced == ["kiosk"])
  }

  @Test func mismatchIsPortraitOnLandscape() {
    let found = Advice.mismatch(width: 800, height: 1280, 1920, 1080)
    #expect(found?.display == "portrait")
    #expect(found?.output == "landscape")
    #expect(Advice.mismatch(width: 1280, height: 800, 1920, 1080) == nil)
    #expect(Advice.mismatch(width: 800, height: 800, 1920, 1080) == nil)
  }
}
