internal import Text
public import TouchModel

/// Writes grids as comma-separated values (RFC 4180, lines ending with a line feed). There is one
/// line for each block, row by row, with or without touches, so that any program can pivot the
/// table.
///
/// | column | meaning |
/// |---|---|
/// | `screen`, `layer` | names |
/// | `column`, `row` | the block, counted from 0 at the top left |
/// | `x0`, `y0`, `x1`, `y1` | its edges in points; the last ones are the edges of the display |
/// | `sessions` | sessions that showed the screen |
/// | `count`, `count_sq` | the sum of their counts, and the sum of the squares |
/// | `mean` | `count / sessions` |
/// | `display` … `block_size` | the display's name and geometry, which tell grids apart |
/// | `days` | days on which these sessions began |
/// | `shown_ms` | how long these sessions showed the screen in total, in ms |
/// | `touched_sessions` | sessions that touched the block |
/// | `masked` | 1 if a mask reaches into the block, so its count is incomplete; else 0 |
///
/// The columns are the same for one grid and for many.
public enum GridCSV {
  public static let header =
    "screen,layer,column,row,x0,y0,x1,y1,sessions,count,count_sq,mean,"
    + "display,pixel_width,pixel_height,scale,rotation,block_size,days,shown_ms,touched_sessions,"
    + "masked"

  public static func bytes(_ grids: [SummedGrid]) -> [UInt8] {
    var text = header + "\n"
    for grid in grids { append(grid, to: &text) }
    return Array(text.utf8)
  }

  private static func append(_ grid: SummedGrid, to text: inout String) {
    let geometry = grid.key.geometry
    let size = geometry.blockSize
    let means = grid.means
    let start = field(grid.key.screen) + "," + grid.layer.rawValue + ","
    let end =
      ",\(field(grid.key.display)),\(geometry.pixelWidth),\(geometry.pixelHeight),"
      + "\(shortestDigits(geometry.scale)),\(geometry.rotation.rawValue),\(size),\(grid.days),"
      + "\(grid.shownMilliseconds)"
    let masked = grid.maskedBlocks
    for row in 0..<geometry.rows {
      let bottom = shortestDigits(min(Double((row + 1) * size), geometry.height))
      for column in 0..<geometry.columns {
        let index = row * geometry.columns + column
        let right = shortestDigits(min(Double((column + 1) * size), geometry.width))
        text += start
        text += "\(column),\(row),\(column * size),\(row * size),\(right),\(bottom),"
        text += "\(grid.sessions),\(grid.sum[index]),\(grid.sumOfSquares[index]),"
        text += shortestDigits(means[index])
        text += end
        let isMasked = masked.contains(Block(column: column, row: row))
        text += ",\(grid.touchedSessions[index]),\(isMasked ? 1 : 0)\n"
      }
    }
  }

  /// Returns `text` as a field, in quotes if necessary.
  public static func field(_ text: String) -> String {
    let special: Set<Unicode.Scalar> = [",", "\"", "\n", "\r"]
    guard text.unicodeScalars.contains(where: special.contains) else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == "\"" { quoted += "\"" }
    }
    return quoted + "\""
  }
}
