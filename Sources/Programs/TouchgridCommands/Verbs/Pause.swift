import ArgumentParser
import LinuxIO
import Text
import TouchModel
import TouchgridAPI

struct Pause: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Pauses recording while this command runs.",
    discussion: """
      Touches that begin during the pause are not recorded, and touches that are down end. The pause \
      ends with Ctrl-C, after --for, with 'touchgrid resume', or when this command ends for any other \
      reason.

      --json prints the daemon's replies (Pause of the interface io.touchgrid), one per line: at the \
      start and at the end of the pause.
      """)

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "End the pause after this time at the latest, such as 30s or 5m; at most 24h.",
      valueName: "duration"),
    transform: DurationArgument.read)
  var duration: DurationArgument?

  @OptionGroup var socket: SocketOption

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if let duration, !(1...86_400_000).contains(duration.milliseconds) {
      throw ValidationError("--for takes 1ms to 24h.")
    }
  }

  func run() throws {
    let waiting = try Waiting()
    let daemon = try socket.connect()
    try daemon.start(API.Pause(durationMs: duration?.milliseconds))
    guard let (first, isPaused) = try daemon.receive(API.Pause.self, within: .seconds(10)) else {
      throw Failure(
        "the daemon did not answer within 10 s; 'sudo journalctl -u touchgridd' may show the "
          + "reason")
    }
    if json { try writeJSON(first) } else { try writeLines([announcement]) }
    guard isPaused else { return }
    while true {
      if let (last, _) = try daemon.receive(API.Pause.self, within: .zero) {
        return try printResult(last)
      }
      if try waiting.next(daemon.descriptor) == .interrupted {
        if !json { try writeLines(["This pause is over."]) }
        return
      }
    }
  }

  private var announcement: String {
    let end = "Ctrl-C ends the pause."
    guard let duration else { return "Recording is paused. \(end)" }
    let now = WallTime.now
    let time = LocalTime(WallTime(milliseconds: now.milliseconds + duration.milliseconds))
    let day = time.flatMap { $0.dateText == LocalTime(now)?.dateText ? nil : $0.dateText + " " }
    return "Recording is paused until \(day ?? "")\(time?.clockText ?? "?"). \(end)"
  }

  private func printResult(_ reply: API.Pause.Reply) throws(Failure) {
    if json { return try writeJSON(reply) }
    try writeLines([
      reply.isPaused
        ? "This pause is over; another client still pauses."
        : "The pause is over; recording continues."
    ])
  }
}

struct Resume: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Ends the pauses of all clients.")

  @OptionGroup var socket: SocketOption

  @Flag(help: "The daemon's reply as JSON (Resume of the interface io.touchgrid).")
  var json = false

  func run() throws {
    // A pause belongs to its connection. This connection has none, so end those of all connections.
    let reply = try socket.connect().call(API.Resume(all: true))
    if json { try writeJSON(reply) }
  }
}
