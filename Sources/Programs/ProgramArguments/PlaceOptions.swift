public import ArgumentParser

/// The options for where the overlay draws.
public struct PlaceOptions: ParsableArguments {
  public enum Backend: String, CaseIterable, ExpressibleByArgument, Sendable {
    case auto, wayland, x11
  }

  @Option(
    help: ArgumentHelp(
      "The output that shows a display of the daemon, if their names differ. May be repeated.",
      valueName: "display=output"))
  public var output: [String] = []

  @Option(help: ArgumentHelp("The window system: auto, wayland or x11.", valueName: "kind"))
  public var backend = Backend.auto

  public init() {}

  public func validate() throws { _ = try outputs() }

  /// Returns the output of each display. Each text is split at its last `=`, because the names of
  /// outputs contain none.
  /// - Throws: If an argument is not DISPLAY=OUTPUT, or if two name the same display.
  public func outputs() throws(ValidationError) -> [String: String] {
    var outputs: [String: String] = [:]
    for text in output {
      guard let sign = text.lastIndex(of: "="), sign != text.startIndex,
        text.index(after: sign) != text.endIndex
      else { throw ValidationError("--output takes DISPLAY=OUTPUT, not \"\(text)\".") }
      let display = String(text[..<sign])
      guard outputs.updateValue(String(text[text.index(after: sign)...]), forKey: display) == nil
      else { throw ValidationError("--output names display \"\(display)\" twice.") }
    }
    return outputs
  }

  /// The command-line arguments that give the same options.
  public var words: [String] {
    output.flatMap { ["--output", $0] } + (backend == .auto ? [] : ["--backend", backend.rawValue])
  }
}
