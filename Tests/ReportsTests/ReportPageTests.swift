import Heatmaps
import Testing
import Text
import TouchModel

@testable import Reports

/// Tests the text of the page. `Tests/Apps/test_report_page.py` tests the page in a browser.
@Suite struct ReportPageTests {
  private static let hostile = "</script><!--<script>&\u{2028}\"'\\"

  private static func page(_ report: Report) -> String {
    String(decoding: ReportPage.bytes(report), as: UTF8.self)
  }

  /// Returns the text between two texts.
  private static func part(_ page: String, _ from: String, _ to: String) throws -> String {
    let start = try #require(page.firstRange(of: from)).upperBound
    let rest = page[start...]
    return String(rest[..<(try #require(rest.firstRange(of: to)).lowerBound)])
  }

  @Test func `Names cannot break out of the data`() throws {
    let grid = try Samples.grid(screen: Self.hostile, counts: [1: (2, 1)])
    let page = Self.page(Samples.report([grid], title: Self.hostile))
    let data = try Self.part(page, #"id="touchgrid-data">"#, "</script>")
    #expect(data.hasSuffix("}"))
    #expect(!data.contains("<") && !data.contains(">") && !data.contains("&"))
    #expect(!data.contains("\u{2028}"))
    #expect(
      data.contains(#""screen":"\u003c/script\u003e\u003c!--\u003cscript\u003e\u0026\u2028\"'\\""#))
    let title = try Self.part(page, "<title>", "</title>")
    #expect(title.hasPrefix("&lt;/script&gt;&lt;!--&lt;script&gt;&amp;"))
  }

  @Test func `Placeholders in inserted text are not replaced`() throws {
    let page = Self.page(Samples.report([], title: "{{DATA}} {{SCRIPT}} }} {{"))
    #expect(try Self.part(page, "<title>", "</title>") == "{{DATA}} {{SCRIPT}} }} {{")
  }

  @Test func `The page's policy allows only its own script and style`() throws {
    let page = Self.page(Samples.report([]))
    let policy = try Self.part(page, #"Content-Security-Policy" content=""#, "\">")
    let style = try Self.part(page, "<style>", "</style>")
    let script = try Self.part(page, "</script>\n<script>", "</script>")
    func hash(_ text: String) -> String { "'sha256-\(base64(sha256(Array(text.utf8))))'" }
    #expect(
      policy == "default-src 'none'; script-src \(hash(script)); style-src \(hash(style)); "
        + "img-src data:; base-uri 'none'; form-action 'none'")
    #expect(script.count > 10_000 && style.count > 5_000)
    // The page fetches nothing, not even an icon.
    #expect(!page.contains("http:") && !page.contains("https:"))
  }

  @Test func `Layers of a screen share their common data`() throws {
    let mask = try #require(Rectangle(x: 16, y: 32, width: 40.5, height: 8))
    let grids = try Layer.allCases.map {
      try Samples.grid(layer: $0, masks: [mask], counts: [0: (5, 3)])
    }
    let report = Samples.report(grids)
    #expect(report.screens.count == 1)
    let map = try #require(report.screens.first?.maps["all"])
    #expect(map.layers.count == 3)
    let data = Self.page(report)
    #expect(
      data.contains(
        #""sessions":9,"days":2,"shownMs":90000,"touches":12,"masks":[[16,32,40.5,8]],"#
          + #""layers":{"taps":"AAUD","trail":"AAUD","dwell":"AAUD"}"#))
  }
}
