import Heatmaps
import Testing
import Text
import TouchModel

@testable import Reports

@Suite struct PanelTestResultTests {
  @Test func `A good panel keeps all limits`() throws {
    let result = try SimulatedPanel().result()
    #expect(result.verdict == .passed, "\(PanelTestText(result).lines(width: 120))")
    #expect(result.outcomes.map(\.rule) == PanelRule.allCases)
    #expect(result.json["verdict"]?.string == "passed")
  }

  @Test func `Each fault breaks its own limit`() throws {
    func broken(_ change: (inout SimulatedPanel) -> Void) throws -> [PanelRule] {
      var panel = try SimulatedPanel()
      change(&panel)
      return try panel.result().outcomes.filter { $0.verdict == .failed }.map(\.rule)
    }
    #expect(try broken { $0.interval = 20_000 } == [.rate])
    let bent = try broken { $0.bend = { ($0, $1 + 24 * ($0 / 320) * (1 - $0 / 320)) } }
    #expect(bent.contains(.linearity) && bent.contains(.linearityRMS))
    #expect(try broken { $0.senses = { x, _ in !(40...46).contains(x) } } == [.breaks])
    // A panel that is insensitive at its left edge.
    #expect(try broken { $0.senses = { x, _ in x > 4 } } == [.range])
    #expect(try broken { $0.senses = { x, _ in x > 40 } }.contains(.coverage))
  }

  @Test func `What was left out is not measured, and is no success`() throws {
    var result = try SimulatedPanel().result()
    let steps = result.steps.map { step in
      step.step.kind == .hold ? PanelTestResult.Step(step: step.step, measures: nil) : step
    }
    result = PanelTestResult(result.device, steps, time: result.time)
    #expect(result.verdict == .notMeasured)
    #expect(result.outcomes.filter { $0.verdict == .notMeasured }.map(\.rule) == [.rest])
    // Lines across say nothing about the top and the bottom.
    let across = PanelTestResult(result.device, Array(steps.prefix(3)), time: "")
    #expect(across.outcomes.first { $0.rule == .range }?.verdict == .notMeasured)
    let both = PanelTestResult(result.device, Array(steps.prefix(6)), time: "")
    #expect(both.outcomes.first { $0.rule == .range }?.verdict == .passed)
    let text = PanelTestText(result).lines(width: 100).joined(separator: "\n")
    #expect(text.contains("could not be measured"))
    let none = PanelTestResult(
      result.device, PanelTestStep.all.map { .init(step: $0, measures: nil) }, time: "")
    #expect(none.outcomes.allSatisfy { $0.verdict == .notMeasured })
  }

  @Test func `The rule, the limit, its source and the step are in the JSON`() throws {
    var panel = try SimulatedPanel()
    panel.interval = 20_000
    let json = try panel.result().json
    #expect(json["format"]?.string == "touchgrid-panel-test")
    let rate = try #require(
      json["results"]?.elements?.first { $0["rule"]?.string == "rate" })
    #expect(rate["least"]?.digits == "60" && rate["from"]?.string == "ChromeOS")
    #expect(rate["verdict"]?.string == "failed" && rate["value"]?.digits == "50")
    #expect(json["device"]?["vendorProduct"]?.string == "1234:5678")
    #expect(json["steps"]?.elements?.count == PanelTestStep.all.count)
    #expect(try JSONValue(parsing: json.text) == json)
  }

  @Test func `Values are rounded so that none seems to keep a limit that it breaks`() {
    #expect(PanelRule.linearity.words(0.8001) == "0.81 mm")
    #expect(PanelRule.linearity.words(0.8) == "0.80 mm" && PanelRule.linearity.words(2) == "2 mm")
    #expect(PanelRule.linearityRMS.limitWords == "at most 0.5 mm")
    #expect(PanelRule.rate.limitWords == "at least 60 Hz")
    #expect(PanelRule.breaks.limitWords == "at most 0")
    #expect(PanelRule.rate.words(59.99) == "59 Hz")
    #expect(PanelRule.jitter.limitWords == "at most 1 mm")
    #expect(PanelRule.breaks.words(2) == "2")
    for rule in PanelRule.allCases { #expect(rule.allows(rule.limit)) }
  }

  @Test func `Foreign names are printable, and everything lies on the page`() throws {
    var panel = try SimulatedPanel()
    panel.senses = { x, _ in !(150...156).contains(x) }
    let result = try panel.result()
    let text = PanelTestText(result).lines(width: 80)
    #expect(text.allSatisfy { $0.printable(limit: .max) == $0 })
    #expect(text.contains { $0.contains("the greatest gap") })
    let drawing = try PanelTestPage(result).drawing()
    let page = (width: Double(drawing.width), height: Double(drawing.height))
    for shape in drawing.shapes {
      switch shape {
      case .text(let label):
        #expect(label.text.printable(limit: .max) == label.text)
        #expect((0...page.width).contains(label.x) && (0...page.height).contains(label.y))
      case .line(let from, let to, _, _):
        for place in [from, to] {
          #expect((0...page.width).contains(place.x) && (0...page.height).contains(place.y))
        }
      default: break
      }
    }
    let bytes = try PictureFormat.pdf.bytes([drawing])
    #expect(bytes.starts(with: Array("%PDF".utf8)))
  }

  @Test func `The page has the shape of the picture, and says where places are left out`() throws {
    var panel = try SimulatedPanel()
    panel.senses = { x, _ in !(150...156).contains(x) }
    var device = try panel.result().device
    device.isTurned = true
    let drawing = try PanelTestPage(
      PanelTestResult(device, try panel.result().steps, time: "")
    ).drawing()
    var (across, down) = (0.0, 0.0)
    for case .line(let from, let to, width: 1, _) in drawing.shapes {
      across = max(across, abs(to.x - from.x))
      down = max(down, abs(to.y - from.y))
    }
    #expect(across > 0 && abs(down / across - 320 / 180) < 0.01)
    #expect(
      drawing.shapes.contains {
        if case .text(let label) = $0 { label.text.hasPrefix("More places") } else { false }
      })
  }

  @Test func `Steps have names of their own`() {
    #expect(Set(PanelTestStep.all.map(\.name)).count == PanelTestStep.all.count)
    #expect(PanelTestStep.all.count == 18)
  }
}
