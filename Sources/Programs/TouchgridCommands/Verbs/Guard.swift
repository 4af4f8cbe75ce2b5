import ArgumentParser
import ProgramArguments
import TouchgridAPI

struct GuardVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guard",
    abstract: "Keeps the touch that wakes a dark screen from the app.",
    discussion: """
      While the screen is dark, an invisible window of touchgrid-overlay takes all touches and clicks. \
      The first touch wakes the screen and reaches no app, nor does any other until every finger has \
      lifted, for at most 10 s. The daemon counts these touches as swallowed. Lock screens get their \
      touches.

      Without --idle, the screen is dark when the desktop has switched its outputs off; a touch \
      switches them on. With --idle, this command makes it dark. If no --dim is given, it switches \
      the outputs off. That needs wlr-output-power-management (sway, labwc, wayfire) or X11; with \
      --dim and --wake, KDE will do, too. GNOME on Wayland and cage let no window lie above others.

      It runs until it is ended. Should it crash, the app gets the touches again at once. \
      touchgrid-guard.service runs it in a desktop session; docs/guard.md tells how.

      Exit status: 0 ended by SIGTERM or SIGINT; 1 the desktop has ended, or touchgrid-overlay is \
      not installed; 64 usage error; 69 unsupported or missing desktop; 71 a system call failed; 77 \
      you lack the role "operate" or, with --corners, "watch".

          touchgrid guard --idle 60s
      """)

  @Option(
    help: ArgumentHelp(
      "Make the screen dark when nobody has touched it for this time: 5s to 24h.",
      discussion: "Idleness is noticed up to 5 s late.",
      valueName: "duration"),
    transform: DurationArgument.read)
  var idle: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "The command of sh that makes the screen dark. Needs --idle and --wake.",
      valueName: "command"))
  var dim: String?

  @Option(
    help: ArgumentHelp(
      "The command of sh that lights the screen.",
      discussion: """
        It also runs when the guard starts while the screen is in use, and when the guard ends in \
        the dark. Default: switch the outputs on.
        """,
      valueName: "command"))
  var wake: String?

  @Flag(
    help: ArgumentHelp(
      "Close the glass for cleaning when two of its corners are held for three seconds.",
      discussion: """
        Not while a screen with a mask is shown there. Needs the role "watch", and \
        touchgrid-clean.socket: see docs/clean.md.
        """))
  var corners = false

  @OptionGroup var place: PlaceOptions
  @OptionGroup var socket: SocketOption

  func validate() throws {
    if let idle, !API.WatchActivity.idleRange.contains(idle.milliseconds) {
      throw ValidationError("--idle takes 5s to 24h.")
    }
    if dim != nil, idle == nil || wake == nil {
      throw ValidationError("--dim needs --idle and --wake.")
    }
    for (name, command) in [("--dim", dim), ("--wake", wake)] where command?.isEmpty == true {
      throw ValidationError("\(name) takes a command; this one is empty.")
    }
  }

  func run() throws {
    guard let program = OverlayCommandLine.program else {
      throw Failure("install the package touchgrid-overlay: its program guards the screen")
    }
    try ChildCommand(words: [program] + arguments()).replaceProcess()
  }

  /// Returns the arguments of touchgrid-overlay.
  func arguments() throws(Failure) -> [String] {
    var words = ["--guard"] + (try socket.arguments())
    if let idle { words.append("--idle=\(idle.milliseconds)") }
    if let dim { words.append("--dim=\(dim)") }
    if let wake { words.append("--wake=\(wake)") }
    if corners { words.append("--corners=/run/touchgrid-clean") }
    return words + place.arguments
  }
}
