import ArgumentParser
import Glibc
import Heatmaps
import Text
import TouchModel

/// The verb `touchgrid picture [list|add|remove|show|take]`.
struct Picture: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists, adds, removes and takes pictures (screenshots) of the app's screens.",
    discussion: """
      'touchgrid heatmap', 'compare' and 'report' draw on these pictures. Each is a PNG, JPEG or WebP \
      of up to 6 MiB, named after its screen in \(PictureFolder.standardPath): menu.png, \
      checkout/pay.jpg. menu@800x1280.png is only used for a display of 800 x 1280 points. Only root \
      may change the folder; root and the group touchgrid-read may read it.
      """,
    subcommands: [List.self, Add.self, Remove.self, Show.self, Take.self],
    defaultSubcommand: List.self)

  struct FolderOption: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The folder of the pictures.",
        discussion: """
          Default: $\(PictureFolder.variable), or \(PictureFolder.standardPath) if that is not set.
          """, valueName: "folder"), completion: .directory)
    var folder: String?

    var pictures: PictureFolder { PictureFolder(folder ?? PictureFolder.standard) }

    func validate() throws {
      if folder?.isEmpty ?? false { throw ValidationError("--folder must not be empty.") }
    }
  }

  /// The picture to add, remove or show.
  struct Choice: ParsableArguments {
    @Argument(help: "The name of the screen.", completion: .screens)
    var screen: String

    @Option(
      help: ArgumentHelp(
        "The picture for displays of this size only, in points after rotation, such as 800x1280.",
        valueName: "points"), transform: PictureSize.read)
    var size: PictureSize?

    func name() throws(Failure) -> PictureName { try PictureName(checked: screen, for: size) }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Adds the picture of a screen, or replaces it; needs root.",
      discussion: """
        The picture must show the whole screen as the person sees it, upright. It may be scaled. If a \
        daemon or store knows the displays that showed the screen, the picture must have the shape of \
        one of them. Its metadata (EXIF, texts) is removed. Prints the path of the file.
        """)

    @OptionGroup var choice: Choice

    @Argument(
      help: "The picture; '-' is standard input.",
      completion: .file(extensions: Screenshot.fileEndings))
    var file: String

    @OptionGroup var folder: FolderOption
    @OptionGroup var past: StoredDataOptions

    func run() throws {
      let name = try choice.name()
      let pictures = folder.pictures
      try pictures.requireWritable()
      let bytes = try readFile(file == "-" ? "/dev/stdin" : file, limit: ScreenshotFolder.limit)
      let picture: Screenshot
      do throws(ScreenshotError) { picture = try Screenshot(bytes) } catch {
        throw Failure(
          "\(file == "-" ? "the picture" : file.printable(limit: 4096)) \(error)")
      }
      let known = try KnownScreens.read(past)
      try picture.check(for: name, shownOn: known)
      try ProcessIdentity.becomeOwner(ofFolder: pictures.path)
      try writeLines([try pictures.add(picture, as: name).printable(limit: 4096)])
      let screens = known.map(\.screen)
      if !screens.isEmpty, !screens.contains(where: { name.screen.hasSameBytes(as: $0) }) {
        writeError("the picture was added, but " + UnknownScreen.words(name.screen, screens))
      }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Removes the picture of a screen; needs root.")

    @OptionGroup var choice: Choice
    @OptionGroup var folder: FolderOption

    func run() throws {
      let name = try choice.name()
      let pictures = folder.pictures
      try pictures.requireWritable()
      try ProcessIdentity.becomeOwner(ofFolder: pictures.path)
      try pictures.remove(name)
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Writes the picture of a screen to a file or to standard output.")

    @OptionGroup var choice: Choice

    @Option(
      name: [.short, .long],
      help: ArgumentHelp("The file to write. Default: standard output.", valueName: "file"),
      completion: .file(extensions: Screenshot.fileEndings))
    var output: String?

    @OptionGroup var folder: FolderOption

    func run() throws {
      let name = try choice.name()
      let output = output == "-" ? nil : output
      let pictures = folder.pictures
      try ProcessIdentity.becomeOwner(ofFolder: pictures.path, writing: output)
      let picture = try pictures.picture(name)
      if let output { return try writeFile(picture.bytes, to: output) }
      if Terminal.isThere {
        throw Failure("a picture is not written to a terminal; use -o FILE or a pipe")
      }
      try write(picture.bytes, to: STDOUT_FILENO, name: "standard output")
    }
  }
}

extension Screenshot {
  /// - Parameter keys: the known screens, with their displays.
  /// - Throws: an error with the sizes that would fit, if the picture fits no display that showed
  ///   the screen.
  func check(for name: PictureName, shownOn keys: [GridKey]) throws(Failure) {
    var geometries = keys.filter { name.covers($0) }.map(\.geometry)
    if geometries.isEmpty, let own = name.size?.geometry { geometries = [own] }
    guard !geometries.isEmpty, !geometries.contains(where: fits) else { return }
    let sizes = Set(geometries.map(ScreenshotFolder.size)).sorted()
    throw Failure(
      "the picture has \(width) x \(height) pixels, but the screen \(name.screen.printable()) has the "
        + "shape of \(sizes.prefix(10).joined(separator: " or of ")); take a picture of the whole "
        + "display, which may be scaled by one factor")
  }
}

extension PictureName {
  /// - Parameter text: the name of the screen, as the user gave it.
  /// - Throws: an error that explains why the name is invalid.
  init(checked text: String, for size: PictureSize?) throws(Failure) {
    guard let screen = text.asName else {
      throw Failure(
        "\(text.printable(limit: 300)) is not the name of a screen: names have 1 to 128 bytes, all "
          + "printable")
    }
    guard let name = PictureName(screen, for: size) else {
      throw Failure(
        "the screen's name \(screen.printable()) is not a valid file name: no part of it may be "
          + "empty or begin with a dot, and it may have \(Self.depthLimit) slashes")
    }
    // A file with this name would belong to another screen.
    if let other = PictureName(file: name.stem + ".png"), other != name {
      throw Failure(
        "the file of the screen \(screen.printable()) would be that of the screen "
          + "\(other.screen.printable()) on displays of \(other.size?.text ?? ""); for that use --size"
      )
    }
    self = name
  }

  /// Whether the picture is for the screen on such a display.
  func covers(_ key: GridKey) -> Bool {
    screen.hasSameBytes(as: key.screen)
      && size ?? PictureSize(key.geometry) == PictureSize(key.geometry)
  }
}
