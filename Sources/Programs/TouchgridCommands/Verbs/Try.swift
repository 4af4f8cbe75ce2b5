import ArgumentParser
import Glibc
import LinuxIO
import Recordings
import Text
import TouchModel
import TouchgridAPI

struct Try: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs an app with a daemon of its own that plays a recorded person.",
    discussion: """
      For makers of apps: it needs neither root nor a touchscreen nor a configuration. The daemon \
      plays a recording again and again for up to half an hour, on a display of 1280x800 points. \
      Screens, controls and masks are those that the app tells it. The variable TOUCHGRID_SOCKET tells \
      the command where the daemon listens; touchgrid and the example apps read it. When the command \
      ends, so does the daemon; what it counted stays in a store of its own.

      Without a command it starts a shell.

      Exit status: 1 an error; 126 and 127 the command cannot be run; otherwise that of the command.
      """)

  @Option(
    help: ArgumentHelp(
      "The recording to play. Its screens are not used. Default: the one in the documentation.",
      valueName: "file"), completion: .file())
  var recording: String?

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp(
      "After --: the command to run, and its arguments. Default: $SHELL.", valueName: "command"))
  var command: [String] = []

  /// The time for which the daemon plays, in s.
  private static let length = 1800
  /// The time from the last touch of a round to the first of the next, in µs.
  private static let pause: Int64 = 2_000_000
  /// The time limit for the daemon to listen, in µs.
  private static let timeout: Int64 = 10_000_000

  func run() throws {
    let person = try played()
    let folder = try Self.makeFolder()
    let (socket, store, log) = (folder + "/socket", folder + "/store.db", folder + "/log")
    try writeFile(Array(person.evemuText.utf8), to: folder + "/person.evemu")
    let display = "width = 1280\nheight = 800\nwidth_mm = 344\nheight_mm = 215\n"
    try writeFile(
      Array("[[display]]\nname = \"trial\"\n\(display)".utf8),
      to: folder + "/touchgridd.toml")
    // The daemon ends when this process ends for any reason.
    let daemon = try ChildCommand(words: [
      "setpriv", "--pdeathsig", "TERM", Self.folder + "/touchgridd",
      "--config", folder + "/touchgridd.toml",
      "--replay", folder + "/person.evemu", "--pace", "recorded", "--socket", socket, "--store",
      store,
    ]).start(output: log)
    guard Self.isUp(socket, daemon) else {
      let said = Files.text(log).map { $0.split(separator: "\n").joined(separator: "; ") } ?? log
      throw Failure("the daemon does not start: \(said.printable(limit: 2000))")
    }
    writeError(
      "a daemon plays a person; its socket is \(socket)"
        + (command.isEmpty ? ". End this shell to end it" : ""))
    // Ignore Ctrl-C here: it is meant for the command.
    signal(SIGINT) { _ in }
    signal(SIGQUIT) { _ in }
    let shell = Terminal.variable("SHELL").flatMap { $0.isEmpty ? nil : $0 } ?? "/bin/sh"
    let status: Result<Int32, any Error> = Result {
      try ChildCommand(
        words: command.isEmpty ? [shell] : command, variables: [SocketOption.variable: socket]
      ).run()
    }
    kill(daemon, SIGTERM)
    _ = ChildCommand.status(of: daemon)
    let code = try status.get()
    writeError("what was counted: touchgrid report --store \(store)")
    if code != 0 { throw ExitCode(code) }
  }

  /// The recording, repeated as often as it fits, without its screens.
  private func played() throws -> Recording {
    let path = recording ?? Self.standardRecording
    guard unsafe recording != nil || access(path, R_OK) == 0 else {
      throw Failure(
        "\(path) is missing, as on systems that leave documentation out: name a recording with "
          + "--recording")
    }
    var recording = try Recording.read(path: path)
    guard let first = recording.events.first?.time, let last = recording.events.last?.time else {
      throw Failure("\(path.printable(limit: 4096)) has no touches")
    }
    let round = max(last - first, 0) + Self.pause
    let rounds = max(1, Int64(Self.length) * 1_000_000 / round)
    let events = recording.events
    recording.screens = []
    recording.events = (0..<rounds).flatMap { number in
      events.map { event in
        var event = event
        event.time = event.time + number * round
        return event
      }
    }
    return recording
  }

  /// Waits until the daemon listens. Ends the daemon if it does not.
  private static func isUp(_ socket: String, _ daemon: pid_t) -> Bool {
    let end = Clocks.monotonic + timeout
    while waitpid(daemon, nil, WNOHANG) == 0 {
      if (try? DaemonConnection(path: socket)) != nil { return true }
      if Clocks.monotonic > end {
        kill(daemon, SIGTERM)
        _ = ChildCommand.status(of: daemon)
        break
      }
      usleep(20_000)
    }
    return false
  }

  /// Makes a folder that only this user can enter. The folder and the store in it remain.
  private static func makeFolder() throws(Failure) -> String {
    let parent = Terminal.variable("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var template = Array("\(parent)/touchgrid-try.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw Failure("no folder can be made in \(parent.printable()): \(errorText(errno))")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The folder with the programs touchgrid and touchgridd.
  private static var folder: String { Folder.of(Files.destination("/proc/self/exe") ?? "") }

  private static var standardRecording: String {
    Folder.of(folder) + "/share/doc/touchgrid/examples/kiosk-demo.evemu"
  }
}
