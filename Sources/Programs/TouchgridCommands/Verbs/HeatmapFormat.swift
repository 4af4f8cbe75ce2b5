import ArgumentParser
import Heatmaps
import Storage
import Text
import TouchModel

/// A file format of `touchgrid heatmap -o`.
enum HeatmapFormat: String, FileFormat {
  case png, svg, pdf, csv, json, npy

  /// The picture format; nil for data formats.
  var picture: PictureFormat? { PictureFormat(rawValue: rawValue) }

  /// Whether one file can hold several grids.
  var allowsSeveral: Bool { [.pdf, .csv, .json].contains(self) }

  /// Whether a file without grids is valid.
  var canBeEmpty: Bool { [.csv, .json].contains(self) }

  /// Returns the bytes of a data file.
  /// - Parameter span: the requested span, for formats that store it.
  /// - Precondition: an NPY file gets exactly one grid.
  func data(_ grids: [SummedGrid], value: GridValue, span: JSONValue) -> [UInt8] {
    switch self {
    case .csv: GridCSV.bytes(grids)
    case .json: GridJSON.bytes(grids, span: span)
    default: grids.first.map { GridNPY.bytes($0, value: value) } ?? []
    }
  }
}
