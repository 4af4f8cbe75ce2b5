internal import Glibc
internal import LinuxIO

/// Reads the names of screens from a descriptor, one per line.
final class LineReader {
  enum Outcome {
    case open
    case end
  }

  private let file: FileDescriptor
  private let display: String?
  private let handler: (SourceEvent) -> Void
  private var lines = LineSplitter()
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  init(
    _ file: consuming FileDescriptor, display: String?, _ handler: @escaping (SourceEvent) -> Void
  ) {
    self.file = file
    self.display = display
    self.handler = handler
  }

  var descriptor: Int32 { file.number }

  /// Reports the lines that have arrived. Blocks only if the descriptor does.
  /// - Returns: `end` at the end of the file or after an error, otherwise `open`.
  func read() -> Outcome {
    let count: Int?
    do throws(SystemError) { count = try file.read(into: &buffer) } catch { count = 0 }
    guard let count else { return .open }
    let time = Clocks.monotonic
    for line in lines.append(buffer[..<count]) { report(line, at: time) }
    guard count == 0 else { return .open }
    if let rest = lines.takeRemainder() { report(rest, at: time) }
    return .end
  }

  private func report(_ line: String, at time: Int64) {
    // An empty line means that nothing is shown.
    handler(
      .seen(
        ObservedScreen(
          display: display, content: line.isEmpty ? .nothing : .sighting(Observation(name: line)),
          time: time)))
  }
}
