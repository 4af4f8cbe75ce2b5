public import ArgumentParser

/// The options for the outputs on which the overlay draws.
public struct PlaceOptions: ParsableArguments {
  public enum Backend: String, CaseIterable, ExpressibleByArgument, Sendable {
    case auto, wayland, x11
  }

  @Option(
    help: ArgumentHelp(
      "The monitor that shows a display, if their names differ. May be repeated.",
      discussion: """
        DISPLAY is the name that 'touchgrid displays' prints, and OUTPUT is the desktop's name of \
        the monitor, such as HDMI-A-1.
        """,
      valueName: "display=output"))
  public var monitor: [String] = []

  @Option(help: ArgumentHelp("The window system: auto, wayland or x11.", valueName: "kind"))
  public var backend = Backend.auto

  public init() {}

  public func validate() throws { _ = try outputs() }

  /// Returns the output of each display. Each text is split at its last `=`, because the names of
  /// outputs contain none.
  /// - Throws: an error if an argument is not DISPLAY=OUTPUT, or if two name the same display.
  public func outputs() throws(ValidationError) -> [String: String] {
    var outputs: [String: String] = [:]
    for text in monitor {
      guard let sign = text.lastIndex(of: "="), sign != text.startIndex,
        text.index(after: sign) != text.endIndex
      else { throw ValidationError("--monitor takes DISPLAY=OUTPUT, not \"\(text)\".") }
      let display = String(text[..<sign])
      guard outputs.updateValue(String(text[text.index(after: sign)...]), forKey: display) == nil
      else { throw ValidationError("--monitor names display \"\(display)\" twice.") }
    }
    return outputs
  }

  /// The command-line arguments that give the same options.
  public var arguments: [String] {
    monitor.flatMap { ["--monitor", $0] }
      + (backend == .auto ? [] : ["--backend", backend.rawValue])
  }
}
