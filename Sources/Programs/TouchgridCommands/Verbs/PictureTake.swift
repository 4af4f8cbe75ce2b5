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
        speaks to the browser runs as the user of that touchgrid-follow, who must be root or have \
        the role "app".
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
        "Use the picture only for displays of this size, in points after rotation.",
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
      let masks = try daemon.call(API.GetMasks())
      let taken = try take(wanted?.screen, try daemon.call(API.GetStatus()).appGroup)
      let name = try PictureName(checked: taken.screen, for: size)
      try taken.picture.check(for: name, shownOn: try KnownScreens.read(daemon))
      // The follower's process has checked the masks, but its user may have replaced it, so check
      // them again.
      let now = try daemon.call(API.GetMasks())
      guard !now.concerns(name.screen) else {
        throw Failure(
          "the screen \(name.screen.printable()) is masked, and no picture is taken of it")
      }
      guard now == masks else {
        throw Failure("the masks changed while the picture was taken: try again")
      }
      try ProcessIdentity.becomeOwner(ofFolder: pictures.path)
      try writeLines([try pictures.add(taken.picture, as: name).printable(limit: 4096)])
    }

    /// The time limit for all followers together, in ms.
    private static let timeout: Int64 = 45_000

    /// Takes the picture from the first follower that can.
    /// - Parameter group: the group that has the role `app`; nil if there is none.
    private func take(_ screen: String?, _ group: String?) throws(Failure) -> TakenPicture {
      let program = try Self.program()
      let end = Clocks.monotonic + Self.timeout * 1000
      var left: Int64 { (end - Clocks.monotonic) / 1000 }
      var last: Failure?
      for follower in try RunningFollower.all(try processes(group), within: left) {
        do throws(Failure) {
          return try TakenPicture(of: screen, by: follower, program: program, within: left)
        } catch {
          last = error
        }
      }
      throw last ?? noFollower
    }

    /// Returns the follower processes that may name screens. Throws an error if they belong to
    /// several users.
    private func processes(_ group: String?) throws(Failure) -> [FollowerProcess] {
      let all = FollowerProcess.all().filter { user == nil || $0.user == user }
      let number = unsafe group.flatMap { unsafe getgrnam($0) }.map { unsafe $0.pointee.gr_gid }
      // Any user can start a process with this name.
      let found = all.filter { $0.isRootOrHas(group: number) }
      let users = Set(found.map(\.user)).sorted()
      guard !found.isEmpty else {
        guard let other = all.first else { throw noFollower }
        throw Failure(
          "the user \(other.user.printable()) runs touchgrid-follow, but may not name screens: that "
            + (group.map { "takes the group \($0.printable()) (role \"app\")" }
              ?? "takes the role \"app\", which the configuration gives to no group"))
      }
      guard users.count == 1 else {
        throw Failure(
          "several users run touchgrid-follow (\(users.map { $0.printable() }.joined(separator: ", "))): "
            + "choose one with --user")
      }
      return found
    }

    private var noFollower: Failure {
      Failure(
        "no touchgrid-follow \(user.map { "of the user \($0.printable()) " } ?? "")runs that follows "
          + "a browser through DevTools: start it, or add a picture with 'touchgrid picture add'")
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
