import Testing

@testable import TouchgridOverlay

@Suite struct OutputMatchTests {
  private func match(
    _ displays: [String], _ outputs: [String?], _ chosen: [String: String] = [:]
  ) -> OutputMatch {
    OutputMatch(displays: displays, outputs: outputs, chosen: chosen)
  }

  @Test func `Displays and outputs with equal names match`() {
    let found = match(["DSI-1", "DP-2"], ["DP-2", "DSI-1"])
    #expect(found.displays == [["DP-2"], ["DSI-1"]])
    #expect(found.unplaced.isEmpty)
  }

  @Test func `The kernel's and X11's names of a connector match`() {
    #expect(match(["HDMI-A-1"], ["DP-1", "HDMI-1"]).displays == [[], ["HDMI-A-1"]])
    #expect(match(["HDMI-A-1"], ["DP-1", "HDMI-2"]).unplaced == ["HDMI-A-1"])
  }

  @Test func `The only output shows any display`() {
    #expect(match(["kiosk"], ["HDMI-A-1"]).displays == [["kiosk"]])
    #expect(match(["kiosk"], [nil]).displays == [["kiosk"]])
    #expect(match(["a", "b"], ["HDMI-A-1"]).displays == [["a", "b"]])
  }

  @Test func `The only output shows just its own display if that exists`() {
    let found = match(["HDMI-A-1", "HDMI-A-2"], ["HDMI-A-1"])
    #expect(found.displays == [["HDMI-A-1"]])
    #expect(found.unplaced == ["HDMI-A-2"])
  }

  @Test func `A chosen output takes precedence`() {
    let found = match(["DP-1", "kiosk"], ["DP-1", "DP-2"], ["kiosk": "DP-1", "DP-1": "DP-2"])
    #expect(found.displays == [["kiosk"], ["DP-1"]])
    #expect(match(["kiosk"], ["DP-1"], ["kiosk": "DP-9"]).unplaced == ["kiosk"])
  }

  private func sentence(
    _ displays: [String], _ outputs: [String?], _ chosen: [String: String] = [:]
  ) -> String? {
    match(displays, outputs, chosen).sentence(outputs: outputs)
  }

  @Test func `The status names the output if it differs from the display`() {
    #expect(sentence(["DSI-1"], ["DSI-1"]) == "showing touches of DSI-1")
    #expect(sentence(["HDMI-A-1"], ["HDMI-1"]) == "showing touches of HDMI-A-1")
    #expect(
      sentence(["a", "b"], ["DP-1", "DP-2"], ["a": "DP-2", "b": "DP-1"])
        == "showing touches of b on DP-1, a on DP-2")
    #expect(sentence(["kiosk"], ["screen"]) == "showing touches of kiosk on the monitor")
    #expect(sentence(["screen"], ["screen"]) == "showing touches of screen")
    #expect(sentence(["kiosk"], [nil]) == "showing touches of kiosk on the monitor")
    #expect(sentence(["kiosk"], ["DP-1", "DP-2"]) == nil)
  }
}
