import TestSupport
import Testing
import TouchModel

@testable import Reports

@Suite struct FlowTextTests {
  private var report: FlowReport {
    var home = ScreenFlow(display: "glass", screen: "home")
    (home.sessions, home.entries) = (100, 100)
    let next = [("catalogue", 60), ("checkout/pay", 25), ("menu", 15)] as [(String, UInt64)]
    var counts = FlowCounts()
    counts.sessions = 100
    counts.screens = [home]
    counts.steps = next.map {
      FlowStep(display: "glass", from: "home", to: $0.0, times: $0.1, sessions: $0.1)
    }
    return FlowReport(counts, hiddenSteps: 0)
  }

  @Test func `A funnel that certainly loses a tenth of its sessions is a finding`() {
    func texts(_ reached: [UInt64]) -> [String] {
      let funnel = Funnel(name: "order", screens: ["menu", "pay", "done"])
      let flows = FlowCounts(sessions: 390, funnels: [FunnelCounts(funnel, reached: reached)])
      return Finding.losses(FlowReport(flows, hiddenSteps: 0)).map { $0.screen }
    }
    #expect(texts([390, 315, 230]) == ["pay"])
    #expect(texts([390, 300, 290]) == ["menu"])
    for reached in [[390, 350, 345], [40, 20, 1], [390, 390, 390], [0, 0, 0]] as [[UInt64]] {
      #expect(texts(reached).isEmpty, "\(reached)")
    }
  }

  @Test func `What came next stands in one line if there is room`() {
    #expect(
      FlowText(report, width: 100).lines[2]
        == "home     100      -     -     -   0 %  catalogue 60 %, checkout/pay 25 %, menu 15 %")
  }

  @Test func `Otherwise each has a line of its own, and none is cut`() {
    #expect(
      FlowText(report, width: 70).lines[1...] == [
        "SCREEN  SEEN  FIRST  NEXT  NONE  LEFT  THEN",
        "home     100      -     -     -   0 %  catalogue 60 %",
        "                                       checkout/pay 25 %",
        "                                       menu 15 %",
      ])
  }
}
