internal import ArgumentParser
internal import Glibc
internal import ProgramArguments
internal import TouchModel
internal import TouchgridOverlay

@main
struct TouchgridOverlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchgrid-overlay",
    abstract: "Draws touches on the display, for demos and videos.",
    discussion: """
      Draws a bubble under each finger, above all windows, on Wayland compositors with a layer shell \
      (sway, labwc, wayfire, KDE) and on X11. It takes no input, draws nothing inside masks and leaves \
      nothing behind. You need the role "watch". On X11 without a compositing manager the bubbles are \
      opaque rings, and no trail is drawn.

      Exit status: 0 ended by SIGTERM or SIGINT; 1 the desktop has ended; 64 usage error; 69 unsupported or \
      missing desktop; 71 a system call failed; 77 you lack the role "watch".
      """,
    version: touchgridVersion)

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      endPrintably(error, arguments: arguments)
    }
  }

  @Option(
    help: ArgumentHelp(
      "The daemon's socket.",
      discussion: "Default: $TOUCHGRID_SOCKET, or \(Self.standardPath) if that is not set.",
      valueName: "path"), completion: .file())
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "Show scenes from standard input on this display instead of touches, and take all input.",
      discussion: """
        For 'touchgrid panel test' and 'touchgrid calibrate'. Each line is a JSON object: {"title", \
        "lines": [[x, y, x, y]], "crosses": [[x, y]]}, with places from 0 to 1. Needs no daemon.
        """,
      valueName: "display"))
  var scenes: String?

  @Flag(
    help: ArgumentHelp(
      "Draw nothing, and take all touches in the covers of the daemon's configuration.",
      discussion: "Needs the role \"watch\" or \"operate\". docs/panel.md describes covers."))
  var covers = false

  @Flag(
    name: .customLong("guard"),
    help: ArgumentHelp(
      "Draw nothing, and take the touch that wakes a dark screen.",
      discussion: "For 'touchgrid guard', which explains it and the next four options."))
  var isGuard = false

  @Option(help: ArgumentHelp("With --guard: the time without touches.", valueName: "ms"))
  var idle: Int64?

  @Option(
    help: ArgumentHelp("With --guard: makes the screen dark.", valueName: "command"))
  var dim: String?

  @Option(
    help: ArgumentHelp("With --guard: lights the screen.", valueName: "command"))
  var wake: String?

  @Option(
    help: ArgumentHelp(
      "With --guard: connects to this socket when two corners are held.", valueName: "path"),
    completion: .file())
  var corners: String?

  @OptionGroup var bubbles: BubbleOptions
  @OptionGroup var place: PlaceOptions

  func validate() throws {
    if [scenes != nil, covers, isGuard].count(where: \.self) > 1 {
      throw ValidationError("Only one of --scenes, --covers and --guard may be given.")
    }
    if !isGuard, idle != nil || [dim, wake, corners].contains(where: { $0 != nil }) {
      throw ValidationError("--idle, --dim, --wake and --corners need --guard.")
    }
    if let fault = OverlayOptions.fault(ofSocket: path) {
      let origin = socket == nil ? "TOUCHGRID_SOCKET" : "--socket"
      throw ValidationError("\(origin) takes the path of the daemon's socket: \(fault).")
    }
  }

  private static let standardPath = "/run/touchgrid/io.touchgrid"

  private var path: String {
    socket ?? Self.variable("TOUCHGRID_SOCKET") ?? Self.standardPath
  }

  func run() throws {
    let options = OverlayOptions(
      socket: path, style: bubbles.style, outputs: try place.outputs(), backend: backend)
    do throws(OverlayFailure) {
      if let scenes {
        try SceneOverlay.run(options, on: scenes)
      } else if covers {
        try CoverOverlay.run(options)
      } else if isGuard {
        try GuardOverlay.run(
          options, GuardOptions(idleAfter: idle, dim: dim, wake: wake, corners: corners))
      } else {
        try Overlay.run(options)
      }
    } catch {
      throw ExitCode(error.status)
    }
  }

  private var backend: OverlayOptions.Backend {
    switch place.backend {
    case .auto: .auto
    case .wayland: .wayland
    case .x11: .x11
    }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }
}
