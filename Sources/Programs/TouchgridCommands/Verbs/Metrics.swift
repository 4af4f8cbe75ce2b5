import ArgumentParser
import Glibc
import TouchModel
import TouchgridAPI

struct Metrics: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the daemon's state for Prometheus.",
    discussion: """
      The text has the format of OpenMetrics. The textfile collector of node_exporter reads it from \
      a file. You need the role "read". docs/metrics.md lists the metrics, and has a timer, alerts \
      and a dashboard.

      If the store does not answer within 10 s, the metrics of its days are left out. If the daemon \
      does not answer, nothing is written, and the file stays as it was: alert on its \
      age (node_textfile_mtime_seconds).
      """)

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Write to this file, which is replaced as a whole. Default: standard output.",
      valueName: "file"), completion: .file(extensions: ["prom"]))
  var output: String?

  @OptionGroup var socket: SocketOption

  func run() throws {
    let daemon = try socket.connect()
    let status = try daemon.call(API.GetStatus())
    let now = WallTime.now
    let devices = try daemon.call(API.GetDevices()).devices
    // If the store cannot be read or the disk hangs, the metrics of the status show it.
    let days = try? daemon.replies(to: API.ListDays()).flatMap(\.days)
    let metrics = DaemonMetrics(status: status, devices: devices, days: days, now: now)
    guard let output, output != "-" else { return try writeLines(metrics.lines) }
    try writeFile(Array(metrics.lines.map { $0 + "\n" }.joined().utf8), to: output)
  }
}
