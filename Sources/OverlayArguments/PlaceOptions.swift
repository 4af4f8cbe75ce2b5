public import ArgumentParser

/// Where the overlay draws.
public struct PlaceOptions: ParsableArguments {
  public enum Backend: String, CaseIterable, ExpressibleByArgument, Sendable {
    case auto, wayland, x11
  }

  @Option(
    help: ArgumentHelp(
      "Which output shows a display of the daemon, where their names differ; may be repeated.",
      valueName: "display=output"))
  public var output: [String] = []

  @Option(help: ArgumentHelp("The window system: auto, wayland or x11.", valueName: "kind"))
  public var backend = Backend.auto

  public init() {}

  public func validate() throws { _ = try outputs() }

  /// Output by display. The last `=` counts: outputs have none in their names.
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

  /// The arguments that say the same.
  public var words: [String] {
    output.flatMap { ["--output", $0] } + (backend == .auto ? [] : ["--backend", backend.rawValue])
  }
}
