import ArgumentParser
import TouchModel

struct Overlay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draws touches on the display, for demos and videos.",
    discussion: """
      Switches touchgrid-overlay on and off. It runs as a service of your desktop session \
      (touchgrid-overlay.service, in the package touchgrid-overlay), draws above all windows and \
      takes no input. It is off until you switch it on, and ends with the desktop session. You \
      need the role "watch".
      """,
    subcommands: [On.self, Off.self, Toggle.self, Status.self])

  struct On: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: """
        Switches the overlay on with the options given here; those of an earlier 'on' no longer \
        apply.
        """,
      discussion: "Returns when the overlay draws, or prints why it cannot.")

    @OptionGroup var options: OverlayCommandLine

    func run() throws { try Overlay.turnOn(OverlayService(for: .on), options) }
  }

  struct Off: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Switches the overlay off.")

    func run() throws { try Overlay.turnOff(OverlayService(for: .offOrStatus)) }
  }

  struct Toggle: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Switches the overlay on or off, and prints which; for a keyboard shortcut.",
      discussion: "The options apply when the overlay is switched on.")

    @OptionGroup var options: OverlayCommandLine

    func run() throws {
      let service = try OverlayService(for: .on)
      switch try service.state().activity {
      case .off, .ending: try Overlay.turnOn(service, options)
      case .on, .starting: try Overlay.turnOff(service)
      }
    }
  }

  private static func turnOn(
    _ service: borrowing OverlayService, _ options: OverlayCommandLine
  ) throws {
    let state = try service.turnOn(options.arguments())
    try writeLines(["The overlay is on" + (state.text.isEmpty ? "." : ": \(state.text)")])
  }

  private static func turnOff(_ service: borrowing OverlayService) throws {
    try service.turnOff()
    try writeLines(["The overlay is off."])
  }
}
