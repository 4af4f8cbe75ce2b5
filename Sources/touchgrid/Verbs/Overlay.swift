import ArgumentParser
import TouchModel

struct Overlay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows every finger on the screen, while a demo is filmed.",
    discussion: """
      Switches touchgrid-overlay, which draws above all windows and takes no touch from them, as a \
      service of your session (touchgrid-overlay.service, of the package of that name). It is off until \
      it is switched on, and ends with the session. It needs the group of the role watch.
      """,
    subcommands: [On.self, Off.self, Toggle.self, Status.self])

  struct On: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Switches it on, with these options instead of earlier ones.",
      discussion: "Returns when it draws, or tells why it cannot.")

    @OptionGroup var options: OverlayCommandLine

    func run() throws { try Overlay.turnOn(OverlayService(for: .on), options) }
  }

  struct Off: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Switches it off.")

    func run() throws { try Overlay.turnOff(OverlayService(for: .offOrStatus)) }
  }

  struct Toggle: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Switches it on or off, and says which: for a key.",
      discussion: "The options hold where it is switched on.")

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
    let state = try service.turnOn(options.words())
    try writeLines(["The overlay is on" + (state.text.isEmpty ? "." : ": \(state.text)")])
  }

  private static func turnOff(_ service: borrowing OverlayService) throws {
    try service.turnOff()
    try writeLines(["The overlay is off."])
  }
}
