import ArgumentParser
import GridFormats
import TouchgridAPI

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Finds what is wrong and says how to mend it.",
    discussion: """
      Looks at the touchscreens, their permissions, the configuration, the daemon, this user's groups, \
      displays, whether screens have names, and the store. One line a check: ok, warning or problem; \
      below it what mends it. As root it sees more, such as which program has grabbed a device. Exit \
      status 1 if there is a problem.

      --json prints {"checks": [{"level", "text", "hint"}]}.
      """)

  @Flag(help: "Asks you to touch each screen, and looks whether the touches arrive.")
  var touch = false

  @OptionGroup var socket: SocketOption

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    var findings = Examination(socket: socket).findings()
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
