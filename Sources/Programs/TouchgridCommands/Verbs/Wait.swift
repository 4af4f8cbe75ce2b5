import ArgumentParser
import Glibc
import LinuxIO
import Text
import TouchModel
import TouchgridAPI

struct WaitVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Waits for a touch, for idleness or for a screen.",
    discussion: """
      --touch waits until somebody touches. It also ends at once if somebody did so in the last 5 to \
      10 s. --idle waits until nobody has touched for a time; idleness is noticed up to 5 s late, \
      because the daemon tells this role times in steps of 5 s. Both need the role "signal". With \
      both, a touch counts if nobody has touched for the time of --idle before. --screen waits until \
      a display with a touchscreen shows a screen, and needs the role "watch".

      After the event a command after -- runs, and the exit status is that of the command. It gets \
      TOUCHGRID_EVENT=touch, idle or screen. Without a command the event is printed. With --every the \
      wait goes on after each event. One command runs at a time: after it, only the newest state \
      counts of those that came meanwhile. If the daemon restarts, the wait goes on.

      --json prints an object for each event, with event, sinceAtMs (when it began, in ms since 1970) \
      and screen, if they are known.

      Exit status: 0 the event came; 1 an error, such as a missing role; 64 usage error; 124 --timeout \
      is over; 126 and 127 the command cannot be run; otherwise that of the command.
      """)

  static let timeoutStatus: Int32 = 124

  @Flag(help: "Wait until somebody touches.")
  var touch = false

  @Option(
    help: ArgumentHelp(
      "Wait until nobody has touched for this time: 5s to 24h.", valueName: "duration"),
    transform: DurationArgument.read)
  var idle: DurationArgument?

  @Option(
    help: ArgumentHelp("Wait until this screen is shown.", valueName: "name"),
    completion: .screens)
  var screen: String?

  @Option(
    help: ArgumentHelp("With --screen: on this display. Default: any.", valueName: "name"),
    completion: .displays)
  var display: String?

  @Option(
    help: ArgumentHelp(
      "Give up if no event comes within this time. With --every it begins anew after each event.",
      valueName: "duration"),
    transform: DurationArgument.readLength)
  var timeout: DurationArgument?

  @Flag(help: "Go on after an event.")
  var every = false

  @OptionGroup var socket: SocketOption

  @Flag(help: "Print JSON.")
  var json = false

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("After --: the command to run, and its arguments.", valueName: "command"))
  var command: [String] = []

  func validate() throws {
    guard touch || idle != nil || screen != nil else {
      throw ValidationError("Give --touch, --idle or --screen.")
    }
    if screen != nil, touch || idle != nil {
      throw ValidationError("--screen cannot be combined with --touch or --idle.")
    }
    if display != nil, screen == nil { throw ValidationError("--display needs --screen.") }
    if let screen, screen.asName == nil {
      throw ValidationError("The name of a screen must have 1 to 128 bytes of printable UTF-8.")
    }
    if let idle, !API.WatchActivity.idleRange.contains(idle.milliseconds) {
      throw ValidationError("--idle takes 5s to 24h.")
    }
    if json, !command.isEmpty {
      throw ValidationError("--json cannot be combined with a command.")
    }
    if command.first == "" { throw ValidationError("The command after -- is empty.") }
  }

  func run() throws {
    if let screen {
      var events = ScreenEvents(
        screen: screen.asName ?? screen, display: display?.asName ?? display)
      try wait(
        for: API.WatchTouches(), isState: { $0.displays != nil }, event: { events.event(for: $0) })
    } else {
      var events = ActivityEvents(wantsTouch: touch, wantsIdle: idle != nil)
      let idleAfter = idle?.milliseconds ?? API.WatchActivity.idleRange.lowerBound
      let call = API.WatchActivity(idleAfterMs: idleAfter)
      try wait(for: call, isState: { _ in true }, event: { events.event(for: $0) })
    }
  }

  /// - Parameters:
  ///   - isState: whether a reply has the complete state.
  ///   - event: returns the event for a state; nil if the state is not an event.
  private func wait<Called: Method>(
    for call: Called, isState: (Called.Reply) -> Bool, event: (Called.Reply) -> AwaitedEvent?
  ) throws {
    let stream = try ReplyStream(call, path: socket.path)
    try stream.begin()
    var end = nextEnd
    // Whether replies may have arrived while a command ran.
    var isCatchingUp = false
    var newest: Called.Reply?
    while true {
      switch try stream.next() {
      case .reply(let reply):
        guard isState(reply) else { continue }
        newest = reply
        if isCatchingUp { continue }
      case .lost(let reason):
        writeError("\(reason); the wait goes on when the daemon is back")
      case .found: writeError("the daemon is back")
      case .nothing:
        isCatchingUp = false
        guard newest == nil else { break }
        if let end, Clocks.boottime >= end { throw ExitCode(Self.timeoutStatus) }
        try Self.wait(for: stream.descriptor, until: end)
      }
      guard let event = newest.flatMap(event) else {
        newest = nil
        continue
      }
      newest = nil
      try handle(event)
      guard every else { return }
      isCatchingUp = !command.isEmpty
      end = nextEnd
    }
  }

  /// The time limit, on `CLOCK_BOOTTIME` in µs.
  private var nextEnd: Int64? { timeout.map { Clocks.boottime + $0.milliseconds * 1000 } }

  private func handle(_ event: AwaitedEvent) throws {
    guard !command.isEmpty else {
      if json { return try writeJSON(event) }
      return try writeLines([event.event.rawValue])
    }
    // The command receives the event's name.
    let command = ChildCommand(
      words: command, variables: ["TOUCHGRID_EVENT": event.event.rawValue])
    guard every else { try command.replaceProcess() }
    let status = try command.run()
    if status != 0 {
      writeError("\((command.words[0]).printable(limit: 4096)) ended with status \(status)")
    }
  }

  private static func wait(for descriptor: Int32, until end: Int64?) throws(Failure) {
    let rest = end.map { Int32(clamping: max(0, ($0 - Clocks.boottime + 999) / 1000)) }
    var waits = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    if unsafe poll(&waits, 1, rest ?? -1) < 0, errno != EINTR {
      throw Failure("waiting failed: \(errorText(errno))")
    }
  }
}
