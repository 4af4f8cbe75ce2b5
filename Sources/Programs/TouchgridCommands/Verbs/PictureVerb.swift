import ArgumentParser
import Glibc
import Heatmaps
import Storage
import Text
import TouchModel
import TouchgridAPI

/// The verb `touchgrid picture [list|add|remove|show]`.
struct PictureVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "picture",
    abstract: "Keeps pictures of the app's screens, over which maps are drawn.",
    discussion: """
      A picture is a screenshot (PNG, JPEG or WebP) in the shape of the display, of any size. \
      'touchgrid heatmap', 'touchgrid report' and the page in Cockpit draw over it. Pictures lie in \
      \(PictureFolder.standard), which root may change and the group touchgrid-read may read. \
      Metadata of the files (EXIF, texts) is removed.
      """,
    subcommands: [List.self, Add.self, Remove.self, Show.self], defaultSubcommand: List.self)

  struct FolderOption: ParsableArguments {
    @Option(
      help: ArgumentHelp("The folder. Default: \(PictureFolder.standard).", valueName: "folder"),
      completion: .directory)
    var folder = PictureFolder.standard

    var pictures: PictureFolder { PictureFolder(path: folder) }
  }

  /// The screen, and the displays that the picture is for.
  struct ScreenOptions: ParsableArguments {
    @Argument(help: "The screen.", completion: .screens)
    var screen: String

    @Option(
      help: ArgumentHelp(
        "Only for displays of this size in points, such as 800x1280. Default: all displays.",
        valueName: "size"), transform: readSize)
    var size: PictureSize?
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the pictures.")

    @OptionGroup var folder: FolderOption

    @Flag(
      help: ArgumentHelp(
        "JSON.",
        discussion: """
          {"pictures": [{"screen", "size", "file", "width", "height", "bytes", "error"}]}, with the \
          width and height in pixels.
          """))
    var json = false

    func run() throws {
      let entries = try folder.pictures.entries()
      if json { return try writeJSON(["pictures": entries]) }
      guard !entries.isEmpty else { return writeError("there are no pictures") }
      try writeLines(
        entries.map { entry in
          let size = entry.size.map { " for \($0)" } ?? ""
          let pixels =
            if let width = entry.width, let height = entry.height {
              "\(width) x \(height) pixels, \((entry.bytes + 1023) / 1024) KiB"
            } else { "not used: \(entry.error ?? "")" }
          return "\(entry.screen.printable())\(size): \(pixels)"
        })
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Keeps a picture of a screen. Needs sudo.",
      discussion: """
        A picture that is there already for the same displays is replaced. If the daemon runs, the \
        shape of the picture must be that of a display, after rotation.
        """)

    @OptionGroup var options: ScreenOptions

    @Argument(
      help: "The file; '-' is standard input.",
      completion: .file(extensions: Screenshot.fileEndings))
    var file: String

    @OptionGroup var folder: FolderOption
    @OptionGroup var socket: SocketOption

    func run() throws {
      let path = file == "-" ? "/dev/stdin" : file
      let name = file == "-" ? "standard input" : file.printable(limit: 4096)
      let bytes = try readFile(path, limit: PictureFolder.limit)
      let picture: Screenshot
      do throws(ScreenshotError) { picture = try Screenshot(bytes) } catch {
        throw Failure("\(name) \(error)")
      }
      try checkShape(of: picture, name)
      let kept = try folder.pictures.add(picture, of: options.screen, size: options.size)
      try writeLines(["kept as \(folder.folder)/\(kept)".printable(limit: 4096)])
    }

    /// Refuses a picture that fits no display, as maps over it would show touches in wrong places.
    private func checkShape(of picture: Screenshot, _ name: String) throws {
      if let size = options.size {
        guard
          DisplayGeometry(
            pixelWidth: size.width, pixelHeight: size.height, scale: 1, rotation: .none)?
            .agreesWithPicture(width: picture.width, height: picture.height) ?? false
        else {
          throw Failure(
            "\(name) has \(picture.width) x \(picture.height) pixels, which is not the shape of "
              + "\(size.text)")
        }
        return
      }
      guard let daemon = try? socket.connect(), let reply = try? daemon.call(API.GetDisplays()),
        !reply.displays.isEmpty
      else { return }
      let geometries = reply.displays.map(\.geometry)
      let fits = geometries.contains { geometry in
        geometry.displayGeometry.map {
          $0.agreesWithPicture(width: picture.width, height: picture.height)
        } ?? true
      }
      guard fits else {
        let sizes = Set(
          geometries.map { "\(Int($0.width.rounded())) x \(Int($0.height.rounded()))" })
        throw Failure(
          "\(name) has \(picture.width) x \(picture.height) pixels, which is not the shape of a "
            + "display: \(sizes.sorted().joined(separator: ", ")), or the same shape in another size"
        )
      }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Removes the picture of a screen. Needs sudo.")

    @OptionGroup var options: ScreenOptions
    @OptionGroup var folder: FolderOption

    func run() throws {
      guard try folder.pictures.remove(options.screen, size: options.size) else {
        throw Failure(
          "there is no picture of screen \(options.screen.printable(limit: 300)); 'touchgrid picture' "
            + "lists all")
      }
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Writes the picture of a screen to standard output or to a file.")

    @OptionGroup var options: ScreenOptions

    @Option(
      name: [.short, .long],
      help: ArgumentHelp("The file to write. Default: standard output.", valueName: "file"),
      completion: .file(extensions: Screenshot.fileEndings))
    var output = "-"

    @OptionGroup var folder: FolderOption

    func run() throws {
      guard let found = folder.pictures.picture(of: options.screen, size: options.size) else {
        throw Failure(
          "there is no picture of screen \(options.screen.printable(limit: 300)) that you may read; "
            + "'touchgrid picture' lists all")
      }
      if output == "-" {
        try write(found.picture.bytes, to: STDOUT_FILENO, name: "standard output")
      } else {
        try writeFile(found.picture.bytes, to: output)
      }
    }
  }
}

/// Reads a size such as `800x1280`.
private func readSize(_ text: String) throws -> PictureSize {
  guard let size = PictureSize(text) else {
    throw ValidationError("'\(text.printable(limit: 100))' is no size such as 800x1280")
  }
  return size
}
