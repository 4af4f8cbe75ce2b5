import ArgumentParser
import GridFormats
import Storage
import TouchModel

/// What `touchgrid heatmap -o` writes.
enum HeatmapFormat: String, CaseIterable, ExpressibleByArgument {
  case csv, json, npy

  /// The format that a file's ending names; nil for another ending.
  init?(ending path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    self.init(rawValue: String(name[name.index(after: dot)...]).lowercased())
  }

  /// - Parameter span: what was asked for, for formats that tell.
  /// - Throws: where the format cannot hold so many grids.
  func bytes(_ grids: [SummedGrid], span: JSONValue) throws(Failure) -> [UInt8] {
    switch self {
    case .csv: return GridCSV.bytes(grids)
    case .json: return GridJSON.bytes(grids, span: span)
    case .npy:
      guard let grid = grids.first, grids.count == 1 else {
        let names = grids.map { grid in
          "  \(grid.key.screen.printable()) --display \(grid.key.display.printable()) "
            + "--geometry \(grid.key.geometry.text)"
        }
        throw Failure(
          """
          an .npy file holds one grid, and there are \(grids.count); name one of these, or write \
          .csv or .json:
          """ + "\n" + names.joined(separator: "\n"))
      }
      return GridNPY.bytes(grid)
    }
  }
}
