import ArgumentParser
import Heatmaps
import LinuxIO
import Text
import TouchModel

extension Picture {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the pictures, and the displays that they fit.",
      discussion: """
        A picture fits a display that showed its screen if it has the display's shape. \
        --json prints {"folder", "pictures": [{"screen", "size", "file", "bytes", "type", "width", \
        "height", "problem", "shown": [{"display", "geometry", "fits"}]}]}. "size" is only there for \
        a picture of one size of display, and "problem" only for a file that cannot be used, which \
        lacks "type", "width" and "height".
        """)

    @OptionGroup var folder: FolderOption
    @OptionGroup var past: StoredDataOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
      let pictures = folder.pictures
      let known = try KnownScreens.read(past)
      try ProcessIdentity.becomeOwner(ofFolder: pictures.path)
      let entries = try pictures.files().map { Entry($0, in: pictures, known) }
      if json { return try writeJSON(Listing(folder: pictures.path, pictures: entries)) }
      guard !entries.isEmpty else {
        throw NothingToShow(
          "there are no pictures in \(pictures.words); 'sudo touchgrid picture add' adds one")
      }
      try writeLines(Self.lines(entries, width: Terminal.width))
    }

    static func lines(_ entries: [Entry], width: Int) -> [String] {
      TextTable(
        [
          .init("SCREEN", canShrink: true), .init("FILE", canShrink: true),
          .init("PIXELS", isNumber: true), .init("BYTES", isNumber: true),
          .init("FITS", canShrink: true),
        ],
        rows: entries.map {
          [
            $0.screen.printable(), $0.file.printable(limit: 300), $0.pixels,
            groupedDigits(UInt64(clamping: $0.bytes)), $0.fit,
          ]
        }
      ).lines(width: width)
    }
  }

  private struct Listing: Encodable {
    var folder: String
    var pictures: [Entry]
  }

  struct Entry: Encodable {
    struct Size: Encodable {
      var width: Int
      var height: Int
    }

    /// A display that showed the screen.
    struct Place: Encodable {
      var display: String
      var geometry: String
      var fits: Bool
    }

    var screen: String
    var size: Size?
    var file: String
    var bytes: Int
    var type: String?
    var width: Int?
    var height: Int?
    /// The reason why the file cannot be used.
    var problem: String?
    var shown: [Place]

    init(_ file: PictureFolder.File, in folder: PictureFolder, _ known: [GridKey]) {
      screen = file.name.screen
      size = file.name.size.map { Size(width: $0.width, height: $0.height) }
      self.file = file.path
      bytes = file.bytes
      var picture: Screenshot?
      do throws(Failure) {
        let found = try folder.picture(at: file)
        (type, width, height) = (found.type.rawValue, found.width, found.height)
        picture = found
      } catch {
        problem = error.description
      }
      shown = known.filter { file.name.covers($0) }.map {
        Place(
          display: $0.display, geometry: $0.geometry.text,
          fits: picture?.fits($0.geometry) ?? false)
      }
    }

    var pixels: String { width.flatMap { width in height.map { "\(width)x\($0)" } } ?? "" }

    /// The displays that the picture fits, or the reason why there is none.
    var fit: String {
      if let problem { return problem }
      if shown.isEmpty { return "not shown yet" }
      let names = Set(shown.filter(\.fits).map(\.display)).sorted()
      guard names.isEmpty else { return names.map { $0.printable() }.joined(separator: ", ") }
      return "none: shown at " + Set(shown.map(\.geometry)).sorted().joined(separator: ", ")
    }
  }
}
