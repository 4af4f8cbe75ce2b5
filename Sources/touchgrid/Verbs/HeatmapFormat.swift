import ArgumentParser
import GridFormats
import HeatmapRendering
import Storage
import TouchModel

/// What `touchgrid heatmap -o` writes.
enum HeatmapFormat: String, CaseIterable, ExpressibleByArgument {
  case png, svg, pdf, csv, json, npy

  /// `.png, .svg, .pdf, .csv, .json or .npy`.
  static let endings = FileEnding.list(allCases.map(\.rawValue))

  /// The kind of picture; nil for data.
  var picture: PictureFormat? { PictureFormat(rawValue: rawValue) }

  /// Whether a terminal would show it as noise.
  var isBinary: Bool { [.png, .pdf, .npy].contains(self) }

  /// Whether several grids share a file.
  var holdsSeveral: Bool { [.pdf, .csv, .json].contains(self) }

  /// The format that a file's ending names; nil for another ending.
  init?(ending path: String) {
    guard let ending = FileEnding(path) else { return nil }
    self.init(rawValue: ending.text.lowercased())
  }

  /// The bytes of a file of data.
  /// - Parameter span: what was asked for, for formats that tell.
  /// - Precondition: of a NPY, one grid.
  func data(_ grids: [SummedGrid], value: GridValue, span: JSONValue) -> [UInt8] {
    switch self {
    case .csv: GridCSV.bytes(grids)
    case .json: GridJSON.bytes(grids, span: span)
    default: grids.first.map { GridNPY.bytes($0, value: value) } ?? []
    }
  }
}
