import ArgumentParser
import Glibc
import LinuxIO
import Text
import TouchgridAPI

extension Picture {
  struct Take: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Takes the picture of a screen in a browser, and adds it; needs root.",
      discussion: """
        The browser must be one that a running touchgrid-follow follows through DevTools (kind = \
        "devtools"), and must show the screen now. No picture is taken of a screen with a mask. \
        Pictures show what people have entered: show the screen with made-up data. The process that \
        speaks to the browser runs as the user of that touchgrid-follow.
        """)

    @Argument(help: "The name of the screen.", completion: .screens)
    var screen: String?

    @Flag(help: "The screen that is shown now, whatever its name.")
    var current = false

    @Option(
      help: ArgumentHelp(
        "The user of the touchgrid-follow, if several users run one.", valueName: "name"))
    var user: String?

    @Option(
      help: ArgumentHelp(
        "Use the picture for displays of this size alone, as the person sees them.",
        valueName: "points"), transform: PictureSize.read)
    var size: PictureSize?

    @OptionGroup var folder: FolderOption
    @OptionGroup var socket: SocketOption

    func validate() throws {
      guard (screen != nil) != current else {
        throw ValidationError("Give the name of a screen, or --current.")
      }
    }

    func run() throws {
      let wanted = try screen.map { name throws(Failure) in
        try PictureName(checked: name, for: size)
      }
      let pictures = folder.pictures
      guard Privileges.isRoot else {
        throw Failure("only the administrator may take pictures of screens: run this with sudo")
      }
      try pictures.requireWritable()
      let daemon = try socket.connect()
      let taken = try take(wanted?.screen)
      let name = try PictureName(checked: taken.screen, for: size)
      try taken.picture.check(for: name, shownOn: try KnownScreens.read(daemon))
      // The follower's process has checked the masks, but its user may have replaced it.
      guard try !daemon.call(API.GetMasks()).concerns(name.screen) else {
        throw Failure(
          "the screen \(name.screen.printable()) is masked, and no picture is taken of it")
      }
      try ProcessIdentity.becomeOwner(ofFolder: pictures.path)
      try writeLines([try pictures.add(taken.picture, as: name).printable(limit: 4096)])
    }

    /// Takes the picture from the first follower that can.
    private func take(_ screen: String?) throws(Failure) -> TakenPicture {
      let program = try Self.program()
      var last: Failure?
      for follower in try followers() {
        do throws(Failure) {
          return try TakenPicture(of: screen, by: follower, program: program)
        } catch {
          last = error
        }
      }
      throw last ?? Failure("no touchgrid-follow runs")
    }

    private func followers() throws(Failure) -> [RunningFollower] {
      let all = RunningFollower.all()
      let found = all.filter { user == nil || $0.user == user }
      let users = Set(found.map(\.user)).sorted()
      guard !found.isEmpty else {
        throw Failure(
          "no touchgrid-follow \(user.map { "of the user \($0.printable()) " } ?? "")runs that follows "
            + "a browser through DevTools: start it, or add a picture with 'touchgrid picture add'")
      }
      guard users.count == 1 else {
        throw Failure(
          "several users run touchgrid-follow (\(users.map { $0.printable() }.joined(separator: ", "))): "
            + "choose one with --user")
      }
      return found
    }

    /// Returns the path of touchgrid-follow, which is installed beside this program.
    private static func program() throws(Failure) -> String {
      let path = Folder.of(Files.destination("/proc/self/exe") ?? "") + "/touchgrid-follow"
      guard unsafe access(path, X_OK) == 0 else {
        throw Failure(
          "\(path.printable(limit: 4096)) cannot be run: install the package touchgrid-follow")
      }
      return path
    }
  }
}
