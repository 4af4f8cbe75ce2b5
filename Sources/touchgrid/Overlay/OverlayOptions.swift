import ArgumentParser
import Glibc
import TouchFeedback

/// The options of `touchgrid-overlay`, checked here so that a mistake is told at once.
struct OverlayOptions: ParsableArguments {
  enum ColourBy: String, CaseIterable, ExpressibleByArgument { case finger }
  enum Backend: String, CaseIterable, ExpressibleByArgument { case auto, wayland, x11 }

  @OptionGroup var socket: SocketOption

  @Option(help: ArgumentHelp("Diameter of a bubble (44).", valueName: "points"))
  var size: Double?

  @Flag(help: "Draw rings, not discs.")
  var ring = false

  @Option(help: ArgumentHelp("Give each finger a colour of its own.", valueName: "finger"))
  var colourBy: ColourBy?

  @Flag(help: "Draw the way that each finger has come.")
  var trail = false

  @Flag(help: "Write a number at taps that follow others at the same place: 2 in a double tap.")
  var count = false

  @Option(
    help: ArgumentHelp(
      "Where a display of the daemon is shown on an output of another name.",
      valueName: "display=output"))
  var output: [OutputArgument] = []

  @Option(help: ArgumentHelp("auto, wayland or x11 (auto).", valueName: "backend"))
  var backend: Backend?

  func validate() throws {
    if let size, !BubbleStyle.sizes.contains(size) {
      let (least, most) = (BubbleStyle.sizes.lowerBound, BubbleStyle.sizes.upperBound)
      throw ValidationError("--size takes \(Int(least)) to \(Int(most)) points.")
    }
    let displays = output.map(\.display)
    if Set(displays).count < displays.count {
      throw ValidationError("--output names a display twice.")
    }
  }

  /// The arguments of `touchgrid-overlay`, which runs in another folder than this.
  func words() throws(Failure) -> [String] {
    var words: [String] = []
    if socket.isNamed { words += ["--socket", try absolute(socket.path)] }
    if let size { words += ["--size", size == size.rounded() ? "\(Int(size))" : "\(size)"] }
    if ring { words.append("--ring") }
    if let colourBy { words += ["--colour-by", colourBy.rawValue] }
    if trail { words.append("--trail") }
    if count { words.append("--count") }
    for each in output { words += ["--output", "\(each.display)=\(each.output)"] }
    if let backend { words += ["--backend", backend.rawValue] }
    return words
  }

  private func absolute(_ path: String) throws(Failure) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = unsafe getcwd(nil, 0) else {
      throw Failure("the path of this folder cannot be told: \(errorText(errno))")
    }
    defer { unsafe free(folder) }
    return unsafe String(cString: folder) + "/" + path
  }
}

/// `DISPLAY=OUTPUT`.
struct OutputArgument: Equatable, ExpressibleByArgument {
  var display: String
  var output: String

  /// - Returns: nil where one of the two is empty. The last `=` counts: outputs have none in their names.
  init?(argument: String) {
    guard let sign = argument.lastIndex(of: "="), sign > argument.startIndex else { return nil }
    display = String(argument[..<sign])
    output = String(argument[argument.index(after: sign)...])
    guard !output.isEmpty else { return nil }
  }
}
