import ArgumentParser
import Glibc
import LinuxIO
import Text
import TouchModel
import TouchgridAPI

/// Queries a daemon repeatedly and measures how long it takes.
struct Ask: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ask", abstract: "Ask a daemon for grids, and tell how long that takes.")

  @Option(help: "The daemon's socket.")
  var socket: String
  @Option(help: "The daemon, to tell its processor time.")
  var process: Int32?
  @Option(help: "How often each question is asked.")
  var rounds = 20
  @Option(help: "Where the figures go, as JSON.")
  var json: String?

  func run() throws {
    try waitForDaemon()
    print("                                last byte           decoded        CPU")
    print("layer  days  screens    KiB    median       max    median       max     ms")
    var rows: [String] = []
    for layer in Layer.allCases {
      for days in [30, 90, 365] {
        for screen in ["food", nil] {
          let times = try measure(layer, days: days, screen: screen)
          print(
            pad(layer.rawValue, -5), pad("\(days)", 5), pad("\(times.screens)", 8),
            pad("\(times.bytes / 1024)", 6), pad(text(median(times.lastByte)), 9),
            pad(text(times.lastByte.max() ?? 0), 9), pad(text(median(times.decoded)), 9),
            pad(text(times.decoded.max() ?? 0), 9), pad(text(times.processor), 6))
          rows.append(
            #"{"layer":"\#(layer.rawValue)","days":\#(days),"screens":\#(times.screens),"#
              + #""last_byte_ms":\#(median(times.lastByte)),"processor_ms":\#(times.processor)}"#)
        }
      }
    }
    print("Median and worst of \(rounds) calls each.")
    if let json { try write(rows, to: json) }
  }

  private func write(_ rows: [String], to path: String) throws {
    guard let file = unsafe fopen(path, "w") else { throw ValidationError("\(path): not writable") }
    unsafe fputs("[" + rows.joined(separator: ",\n") + "]\n", file)
    guard unsafe fclose(file) == 0 else { throw ValidationError("\(path): not written") }
  }

  private struct Times {
    var lastByte: [Double] = []
    var decoded: [Double] = []
    var bytes = 0
    var screens = 0
    /// The daemon's processor time for one query, in milliseconds.
    var processor = 0.0
  }

  private func waitForDaemon() throws {
    for _ in 0..<100 {
      if (try? TouchgridClient(path: socket)) != nil { return }
      usleep(100_000)
    }
    throw ValidationError("nobody answers at \(socket)")
  }

  /// Returns the processor time that the daemon has used, in milliseconds; 0 if no process is
  /// given.
  private func processorTime() -> Double {
    var clock = clockid_t()
    var time = timespec()
    guard let process, unsafe clock_getcpuclockid(process, &clock) == 0,
      unsafe clock_gettime(clock, &time) == 0
    else { return 0 }
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }

  private func measure(_ layer: Layer, days: Int, screen: String?) throws -> Times {
    let now = Int64(time(nil)) * 1000
    let midnight = now - now % 86_400_000
    let span = API.Span(sinceAtMs: midnight - Int64(days) * 86_400_000)
    let question = API.GetGrids(layer: layer, screen: screen, span: span)
    var times = Times()
    var client = try TouchgridClient(path: socket)
    let stream = try UnixStream(connectingTo: socket, within: 1_000_000)
    let before = processorTime()
    for _ in 0..<rounds {
      var began = clock()
      times.bytes = try exchange(stream, layer, screen, since: midnight - Int64(days) * 86_400_000)
      times.lastByte.append(clock() - began)
      began = clock()
      let reply = try client.call(question)
      times.decoded.append(clock() - began)
      times.screens = reply.grids.count
      // With few sessions a day, some screens may not be shown on every day.
      guard reply.grids.allSatisfy({ $0.days > Int64(days) * 9 / 10 && $0.days <= Int64(days) })
      else {
        throw ValidationError("these are not \(days) days: \(reply.grids.map(\.days))")
      }
    }
    times.processor = (processorTime() - before) / Double(2 * rounds)
    return times
  }

  /// Calls `GetGrids` without decoding the reply.
  /// - Returns: The size of the reply in bytes.
  private func exchange(
    _ stream: borrowing UnixStream, _ layer: Layer, _ screen: String?, since: Int64
  ) throws -> Int {
    let which = screen.map { #","screen":"\#($0)""# } ?? ""
    let call =
      #"{"method":"io.touchgrid.GetGrids","parameters":{"layer":"\#(layer.rawValue)""#
      + #"\#(which),"span":{"sinceAtMs":\#(since)}}}"#
    guard case .moved = try stream.send((Array(call.utf8) + [0])[...]) else {
      throw ValidationError("the daemon takes no call")
    }
    var scratch = [UInt8](repeating: 0, count: 1 << 18)
    var total = 0
    while true {
      switch try stream.receive(into: &scratch) {
      case .moved(let count):
        total += count
        if scratch[count - 1] == 0 { return total }
      case .wouldBlock: _ = try stream.wait(within: 10_000_000)
      case .ended: throw ValidationError("the daemon has gone")
      }
    }
  }

  /// Returns the monotonic time in milliseconds.
  private func clock() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }

  private func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }

  private func text(_ milliseconds: Double) -> String {
    let tenths = Int((milliseconds * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private func pad(_ text: String, _ width: Int) -> String {
    let space = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? text + space : space + text
  }
}
