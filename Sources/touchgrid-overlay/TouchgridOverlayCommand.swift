internal import ArgumentParser
internal import Glibc
internal import OverlayArguments
internal import ProgramEnd
internal import TouchModel
internal import TouchgridOverlay

@main
struct TouchgridOverlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchgrid-overlay",
    abstract: "Shows every finger on the screen, while a demo is filmed.",
    discussion: """
      Draws a bubble under each finger, above everything else, on Wayland compositors with a layer shell \
      (sway, labwc, wayfire, KDE) and on X11. It takes no input, draws nothing inside masks, and nothing \
      remains when it ends. It needs the daemon's role "watch". On X11 without a compositing manager the \
      bubbles are opaque rings, and no trail is drawn.

      Exit status: 0 it was told to end (SIGTERM, SIGINT); 1 the desktop has ended; 64 wrong usage; 69 this \
      desktop cannot do it; 71 the system refused what every program needs; 77 the role "watch" is lacking.
      """,
    version: touchgridVersion)

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      endPrintably(error)
    }
  }

  @Option(
    help: ArgumentHelp(
      "The daemon's socket.",
      discussion: "Without it the environment's TOUCHGRID_SOCKET, or else \(Self.standardPath).",
      valueName: "path"), completion: .file())
  var socket: String?

  @OptionGroup var bubbles: BubbleOptions
  @OptionGroup var place: PlaceOptions

  func validate() throws {
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
    do throws(OverlayFailure) { try Overlay.run(options) } catch {
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
