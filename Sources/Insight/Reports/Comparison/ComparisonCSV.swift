internal import Heatmaps
internal import Text
internal import TouchModel

/// The comparison as comma-separated values (RFC 4180, lines ending with a line feed): one line for
/// each block. A field without a value is empty.
extension ComparisonReport {
  private static let header =
    "screen,layer,column,row,x0,y0,x1,y1,verdict,sessions_a,sessions_b,sum_a,sum_b,mean_a,mean_b,"
    + "difference,low,high,p,q,display,geometry\n"

  package var csv: [UInt8] {
    var text = Self.header
    for screen in screens {
      for block in screen.blocks { text += Self.line(screen, block) }
    }
    return Array(text.utf8)
  }

  private static func line(
    _ screen: ScreenComparison, _ block: ScreenComparison.BlockFinding
  ) -> String {
    let (a, b, finding) = (screen.a, screen.b, block.finding)
    let isKnown = finding.verdict != .masked
    let interval = finding.test?.interval(confidence: ScreenComparison.confidence)
    func real(_ value: Double?) -> String { value.map { JSONValue.real($0).text } ?? "" }
    var fields = [
      GridCSV.field(a.key.screen), a.layer.rawValue, "\(block.block.column)", "\(block.block.row)",
    ]
    fields += [block.left, block.top, block.right, block.bottom].map(real)
    fields += [finding.verdict.rawValue, "\(a.sessions)", "\(b.sessions)"]
    if isKnown {
      fields += ["\(a.sum[block.index])", "\(b.sum[block.index])"]
      fields += [a.means(block.index), b.means(block.index), finding.test?.difference].map(real)
    } else {
      fields += Array(repeating: "", count: 5)
    }
    fields += [interval?.lowerBound, interval?.upperBound, finding.p, finding.q].map(real)
    fields += [GridCSV.field(a.key.display), screen.geometry.text]
    return fields.joined(separator: ",") + "\n"
  }
}
