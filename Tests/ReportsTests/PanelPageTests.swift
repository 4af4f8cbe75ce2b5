import TestSupport
import Testing
import Text
import TouchModel

@testable import Reports

@Suite struct PanelPageTests {
  /// The text of the module, with the parts of each text joined.
  private static func module() throws -> String {
    try Project.text("Sources/Insight/Reports/Page/panels.js")
      .replacing(/'\s*\+\s*'/, with: "").replacing("\\'", with: "'")
  }

  @Test func `The page has a text for every kind and cause, in the words of the command`() throws {
    let module = try Self.module()
    let state = PanelState(PanelKey.wide, days: [])
    for kind in PanelFinding.Kind.allCases {
      for cause in PanelFinding.Cause.allCases {
        let finding = PanelFinding(kind: kind, cause: cause, since: 0, evidence: 1, text: "")
        #expect(module.contains("\n  \(kind.rawValue): _('\(state.headline(finding))'),\n"))
        #expect(module.contains("\n  \(cause.rawValue): _('\(finding.remedy)'),\n"))
        for text in [state.headline(finding), finding.remedy, finding.certainty] {
          #expect(text.hasSuffix(".") && text.first?.isUppercase == true)
        }
      }
      let names = module.matches(of: try Regex("\n  \(kind.rawValue): _\\("))
      // The gaps say more about lines than a name.
      #expect(names.count == (kind == .line ? 1 : 2), "\(kind)")
    }
    for cause in PanelFinding.Cause.allCases {
      let causes = module.matches(of: try Regex("\n  \(cause.rawValue): _\\("))
      #expect(causes.count == 2, "\(cause)")
    }
  }

  /// Days of a panel on which one cell and all lines are used.
  private func days(_ count: Int, skipped: Int) -> [PanelDay] {
    PanelDay.swiped(count) { counts, day in
      counts[column: 5, row: 40] = 30
      if day >= count - 4 { counts[.skipped, .vertical, skipped] = 40 }
    }
  }

  @Test func `The picture of a panel that lies turned is that which people see`() throws {
    let matrix = try #require(CalibrationMatrix("0 -1 1 1 0 0"))
    let state = PanelState(
      PanelKey.wide, sight: PanelSight(matrix, .none), days: days(20, skipped: 3))
    let page = state.page
    let picture = try #require(page["picture"])
    #expect(picture["columns"]?.digits == "48" && picture["rows"]?.digits == "64")
    #expect(picture["isSeen"] == .bool(true) && picture["days"]?.digits == "28")
    let frame = try #require(picture["frames"]?.elements?.first)
    #expect(frame["row"]?.digits == "3" && frame["rows"]?.digits == "1")
    #expect(frame["column"]?.digits == "0" && frame["columns"]?.digits == "48")
    let place = try #require(page["findings"]?.elements?.first?["place"])
    #expect(place["direction"]?.string == "horizontal" && place["edge"]?.string == "top")
    #expect(place["lines"]?.elements == [.integer(4), .integer(4)] && place["of"]?.digits == "64")
    // The cell, as people see it: the gap before it, 600 touches, and no sessions.
    let cell = 5 * 48 + (47 - 40)
    let bytes = [UInt8(cell & 0x7f) | 0x80, UInt8(cell >> 7), 0xd8, 0x04, 0]
    #expect(picture["touches"]?.string == base64(bytes))
  }

  @Test func `Places along the axes of a panel say so`() throws {
    let page = PanelState(PanelKey.wide, days: days(20, skipped: 3)).page
    #expect(page["picture"]?["isSeen"] == .bool(false))
    let place = page["findings"]?.elements?.first?["place"]
    #expect(place?["edge"]?.string == "x" && place?["direction"]?.string == "vertical")
  }

  @Test func `States that could not be read are not the same as none`() {
    var report = Samples.report([])
    #expect(report.json["panels"] == [])
    report.panels = nil
    #expect(report.json["panels"] == .null)
  }
}
