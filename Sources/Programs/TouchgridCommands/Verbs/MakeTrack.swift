import ArgumentParser
import Glibc
import Heatmaps
import LinuxIO
import Text
import TouchModel
import TouchgridAPI

struct MakeTrack: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track",
    abstract: "Writes touches with their times to a track, for subtitles of a video.",
    discussion: """
      Ends with Ctrl-C, or after --duration. The file is a track: one JSON object per line, \
      readable while it grows. 'touchgrid subtitles' makes subtitles of it, and docs/tracks.md \
      describes the format. You need the role "watch". Touches in masks are not written.

      If the daemon restarts, the track continues with the new daemon.
      """)

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The file to write, which must not exist; - for standard output.", valueName: "file"),
    completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp("Only this display. Default: all displays.", valueName: "name"),
    completion: .displays)
  var display: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End after this time, such as 30s or 5m.", valueName: "time"),
    transform: DurationArgument.readLength)
  var duration: DurationArgument?

  @OptionGroup var socket: SocketOption

  func run() throws {
    let waiting = try Waiting()
    let start = Clocks.monotonic
    let source = try TouchStream(path: socket.path)
    try source.begin()
    // Create the file only after the daemon has confirmed that this user may watch.
    let first = try source.first()
    var lines = TrackLines(
      display: display, startedAtMs: WallTime.now.milliseconds - (Clocks.monotonic - start) / 1000,
      startedAtUs: start)
    let head = try lines.encode(first)
    let file = try TrackFile(path: output)
    for line in head { try file.write(line) }

    let end = duration.map { start + $0.milliseconds * 1000 }
    while end.map({ Clocks.monotonic < $0 }) ?? true {
      switch try source.next() {
      case .reply(let reply): for line in try lines.encode(reply) { try file.write(line) }
      case .lost(let reason):
        for line in try lines.cancelAll(atUs: Clocks.monotonic) { try file.write(line) }
        writeError("\(reason); the track continues when the daemon is back")
      case .found: writeError("the daemon is back")
      case .nothing:
        let rest = end.map { Int32(clamping: max(0, ($0 - Clocks.monotonic + 999) / 1000)) }
        if try waiting.next(source.descriptor, within: rest) == .interrupted {
          return try finish(file, &lines, start)
        }
      }
    }
    try finish(file, &lines, start)
  }

  private func finish(
    _ file: borrowing TrackFile, _ lines: inout TrackLines, _ start: Int64
  ) throws(Failure) {
    let now = Clocks.monotonic
    for line in try lines.cancelAll(atUs: now) { try file.write(line) }
    try file.finish()
    let tenths = (now - start + 50_000) / 100_000
    let words = "\(counted(lines.touches, "touch", "touches")) in \(tenths / 10).\(tenths % 10) s"
    writeError(output == "-" ? words : "wrote \(words) to \(output.printable(limit: 4096))")
  }
}
