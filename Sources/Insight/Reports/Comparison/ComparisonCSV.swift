internal import Heatmaps
internal import Text
internal import TouchModel

/// The comparison as comma-separated values (RFC 4180, lines ending with a line feed): one line for
/// each block, and then one for each merged cell, whose column and row are those of its block at the
/// top left. The counts of a merged cell are in the lines of its blocks as well. A field without a
/// value is empty.
extension ComparisonReport {
  private static let header =
    "screen,layer,column,row,x0,y0,x1,y1,verdict,sessions_a,sessions_b,sum_a,sum_b,mean_a,mean_b,"
    + "difference,low,high,p,q,display,geometry,size,blocks,cell\n"

  package var csv: [UInt8] {
    var text = Self.header
    for screen in screens {
      let cells = screen.blocks.map(\.cell) + screen.merged.indices.map { $0 }
      for (cell, number) in zip(screen.cells, cells) { text += Self.line(screen, cell, number) }
    }
    return Array(text.utf8)
  }

  private static func line(
    _ screen: ScreenComparison, _ cell: ScreenComparison.Cell, _ number: Int?
  ) -> String {
    let (a, b, finding) = (screen.a, screen.b, cell.finding)
    let isKnown = finding.verdict != .masked
    let interval = finding.test?.interval(confidence: ScreenComparison.confidence)
    func real(_ value: Double?) -> String { value.map { JSONValue.real($0).text } ?? "" }
    var fields = [
      GridCSV.field(a.key.screen), a.layer.rawValue, "\(cell.block.column)", "\(cell.block.row)",
    ]
    fields += [cell.left, cell.top, cell.right, cell.bottom].map(real)
    fields += [finding.verdict.rawValue, "\(a.sessions)", "\(b.sessions)"]
    if isKnown {
      fields += ["\(cell.a.sum)", "\(cell.b.sum)"]
      fields += [cell.a.mean, cell.b.mean, finding.test?.difference].map(real)
    } else {
      fields += Array(repeating: "", count: 5)
    }
    fields += [interval?.lowerBound, interval?.upperBound, finding.p, finding.q].map(real)
    fields += [
      GridCSV.field(a.key.display), screen.geometry.text,
      "\(cell.side * screen.geometry.blockSize)", "\(cell.blocks.count)",
      number.map { "\($0)" } ?? "",
    ]
    return fields.joined(separator: ",") + "\n"
  }
}
