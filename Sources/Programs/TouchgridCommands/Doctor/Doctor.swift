import ArgumentParser
import Heatmaps
import Text
import TouchgridAPI

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Finds problems and says how to fix them.",
    discussion: """
      Checks the touchscreens and their permissions, the configuration, the daemon, this user's \
      groups, the displays, the names of screens, the store, and whether it and the configuration \
      outlive a restart of the machine; and, like 'touchgrid panel', whether \
      the touchscreens are still good. Prints one line for each check (ok, warning or problem) and \
      the fix below it. Run it as root to see more, such as which program has \
      grabbed a device. Exit status 1 if there is a problem.

      --json prints {"checks": [{"level", "text", "hint"}]}.
      """)

  @Flag(help: "Also ask for a touch on each touchscreen, and check that it arrives.")
  var touch = false

  @OptionGroup var socket: SocketOption

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    var findings = DoctorRun(socket: socket).findings()
    if !json { try write(findings) }
    if touch, let daemon = try socket.connectIfThere() {
      let touched = try TouchTrial(daemon: daemon).run()
      if !json { try write(touched) }
      findings += touched
    }
    if json { try writeJSON(Reply(checks: findings)) }
    if findings.contains(where: { $0.level == .problem }) { throw ExitCode.failure }
  }

  private struct Reply: Encodable {
    var checks: [Finding]
  }

  private func write(_ findings: [Finding]) throws(Failure) {
    let colours = Terminal.hasColours
    try writeLines(
      findings.flatMap { $0.lines(width: Terminal.width, colours: colours) }, areColoured: colours)
  }
}
