import ArgumentParser
import Heatmaps
import Reports
import Text
import TouchModel

/// The options of `touchgrid compare` for its output file and for pictures.
struct ComparisonFile: ParsableArguments {
  enum Format: String, FileFormat {
    case png, svg, pdf, csv, json

    /// The picture format; nil for data formats.
    var picture: PictureFormat? { PictureFormat(rawValue: rawValue) }
    /// Whether one file can hold several screens.
    var allowsSeveral: Bool { self != .png && self != .svg }
  }

  @OptionGroup var file: FileOptions<Format>

  @OptionGroup(title: "Pictures") var picture: PictureOptions

  @Option(
    help: ArgumentHelp(
      "The difference at which the colours end, for more and for fewer touches alike.",
      discussion: """
        Pictures made with the same value can be compared. Default: the 99th percentile of the \
        differences found.
        """,
      valueName: "difference"), transform: readNumber)
  var max: Double?

  func validate() throws {
    if let max, !(max > 0 && max.isFinite) {
      throw ValidationError("--max takes a number above 0.")
    }
    let format = try file.chosen()
    if let given = picture.given ?? (max == nil ? nil : "--max"), format?.picture == nil {
      throw ValidationError("\(given) requires a picture: -o FILE with .png, .svg or .pdf.")
    }
  }

  /// Writes the files that the user wants.
  /// - Returns: false if the user wants none.
  func save(_ report: ComparisonReport) throws -> Bool {
    guard let format = try file.chosen() else { return false }
    // Draw all pictures before the first file is written, so that an error leaves no files behind.
    let files = try files(report, format)
    if let bytes = files.first, files.count == 1 {
      try file.save(bytes)
      return true
    }
    guard let path = file.path else {
      throw Failure(
        "standard output takes one .\(format.rawValue), and there are \(files.count) screens; name "
          + "one of these, or write files with -o FILE:\n"
          + HeatmapNames.arguments(report.screens.map(\.a.key)))
    }
    let paths = try HeatmapNames.paths(report.screens.map(\.a.key), path: path)
    for (bytes, path) in zip(files, paths) { try writeFile(bytes, to: path) }
    try writeLines(paths.map { $0.printable(limit: 4096) })
    return true
  }

  private func files(_ report: ComparisonReport, _ format: Format) throws -> [[UInt8]] {
    switch format {
    case .json: return [Array((report.json.text + "\n").utf8)]
    case .csv: return [report.csv]
    case .png, .svg, .pdf: break
    }
    let drawings = try drawings(report)
    guard let kind = format.picture else { return [] }
    return format.allowsSeveral
      ? [try kind.bytes(drawings)] : try drawings.map { try kind.bytes([$0]) }
  }

  private func drawings(_ report: ComparisonReport) throws -> [Drawing] {
    let backgrounds = try picture.backgrounds()
    try backgrounds.check(report.screens.map(\.a.key))
    return try report.screens.map { screen in
      let background = try backgrounds.background(for: screen.a.key)
      var sheet = DifferenceMap(screen, of: report, limit: max, background: background).sheet
      sheet.hasGridLines = picture.cells
      sheet.isBare = picture.bare
      sheet.pixelsPerPoint = picture.scale
      return try sheet.drawing()
    }
  }
}
