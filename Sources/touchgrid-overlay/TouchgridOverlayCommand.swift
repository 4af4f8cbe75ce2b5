public import ArgumentParser
internal import Glibc
internal import TouchFeedback
internal import TouchModel
public import TouchgridOverlay

@main
struct TouchgridOverlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchgrid-overlay",
    abstract: "Shows every finger on the screen, while a demo is filmed.",
    discussion: """
      Draws a bubble under each finger, above everything else, on Wayland compositors with a layer shell \
      (sway, labwc, wayfire, KDE) and on X11. It takes no input, draws nothing inside masks, and nothing \
      remains when it ends. It needs the daemon's role "watch".

      Exit status: 0 it was told to end (SIGTERM, SIGINT); 1 the desktop has ended; 64 wrong usage; 69 this \
      desktop cannot do it; 71 the system refused what every program needs; 77 the role "watch" is lacking.
      """,
    version: touchgridVersion)

  @Option(
    help: ArgumentHelp(
      "The daemon's socket. Default: TOUCHGRID_SOCKET, else /run/touchgrid/io.touchgrid.",
      valueName: "path"))
  var socket: String?

  @Option(help: ArgumentHelp("Diameter of a bubble.", valueName: "points"))
  var size = BubbleStyle().size

  @Flag(help: "Draw the ring alone.")
  var ring = false

  @Option(help: ArgumentHelp("A colour for each: finger.", valueName: "what"))
  var colourBy: ColourBy?

  @Flag(help: "Draw where the finger was a moment ago.")
  var trail = false

  @Flag(help: "Number taps that follow each other at the same place: 2 in a double tap.")
  var count = false

  @Option(
    help: ArgumentHelp(
      "Which output shows a display of the daemon, where their names differ; may be repeated.",
      valueName: "display=output"))
  var output: [String] = []

  @Option(help: ArgumentHelp("auto, wayland or x11.", valueName: "kind"))
  var backend = OverlayOptions.Backend.auto

  enum ColourBy: String, ExpressibleByArgument, CaseIterable { case finger }

  func validate() throws {
    guard BubbleStyle.sizes.contains(size) else {
      throw ValidationError(
        "--size takes \(Int(BubbleStyle.sizes.lowerBound)) to \(Int(BubbleStyle.sizes.upperBound))."
      )
    }
    _ = try outputs()
    if let fault = OverlayOptions.fault(ofSocket: path) {
      let origin = socket == nil ? "TOUCHGRID_SOCKET" : "--socket"
      throw ValidationError("\(origin) takes the path of the daemon's socket: \(fault).")
    }
  }

  private var path: String {
    socket ?? Self.variable("TOUCHGRID_SOCKET") ?? "/run/touchgrid/io.touchgrid"
  }

  func run() throws {
    var style = BubbleStyle()
    style.size = size
    style.isRing = ring
    style.coloursByFinger = colourBy == .finger
    style.hasTrail = trail
    style.countsTaps = count
    let options = OverlayOptions(
      socket: path, style: style, outputs: try outputs(), backend: backend)
    do throws(OverlayFailure) { try Overlay.run(options) } catch {
      throw ExitCode(error.status)
    }
  }

  private func outputs() throws -> [String: String] {
    var outputs: [String: String] = [:]
    for text in output {
      guard let sign = text.lastIndex(of: "="), sign != text.startIndex,
        text.index(after: sign) != text.endIndex
      else { throw ValidationError("--output takes DISPLAY=OUTPUT, not \"\(text)\".") }
      let display = String(text[..<sign])
      guard outputs.updateValue(String(text[text.index(after: sign)...]), forKey: display) == nil
      else { throw ValidationError("--output names display \(display) twice.") }
    }
    return outputs
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }
}

extension OverlayOptions.Backend: ExpressibleByArgument {}
