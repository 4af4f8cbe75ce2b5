import Foundation
import TestSupport
import Testing
import TouchModel
import TouchgridAPI
import Varlink

@testable import Storage

/// Queries for more grids than may be in memory at the same time.
@Suite struct LargeGridTests {
  /// Makes a store. Session 1 has sixteen screens of 129,600 blocks; session 2 has a hundred
  /// screens without a touch.
  private func fill(_ path: String) throws -> WallTime {
    let geometry = try #require(
      DisplayGeometry(pixelWidth: 1920, pixelHeight: 1080, blockSize: 4))
    var taps = Counters(count: geometry.columns * geometry.rows)
    for index in stride(from: 0, to: taps.count, by: 100) { taps[index] = 3 }
    let store = try Store(path: path)
    let second = WallTime(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1000) - 60_000)
    for (id, count) in [(Int64(1), 16), (2, 100)] {
      var totals = SessionTotals()
      totals.counted = id == 1 ? taps.sum * 16 : 0
      totals.begun = totals.counted
      let keys = (0..<count).map {
        GridKey(display: "HDMI-A-1", screen: "screen \($0)", geometry: geometry)
      }
      let began = WallTime(milliseconds: second.milliseconds - (2 - id) * 60_000)
      try store.write(
        SessionRecord(
          id: id, began: began, lastActive: began, end: .idle, totals: totals,
          changedViews: keys.map {
            ScreenView(key: $0, shownMilliseconds: 9, touches: id == 1 ? taps.sum : 0)
          },
          changedGrids: id == 1 ? keys.map { Grid(key: $0, layer: .taps, counters: taps) } : []))
    }
    return second
  }

  /// Returns the peak of a process's resident memory, in KiB.
  private func peak(_ process: Process) throws -> Int {
    let status = try String(
      contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split { !$0.isNumber }.first.flatMap { Int($0) })
  }

  /// Returns the processor time that a process has used, in seconds.
  private func processorSeconds(_ process: Process) throws -> Double {
    let text = try String(
      contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    // utime and stime are fields 14 and 15 in proc(5). `fields` begins with field 3.
    let ticks = try (11...12).map { try #require(Double(fields[$0])) }
    return ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  @Test func `Large grids are sent one by one, and too large replies are refused at once`() throws {
    let daemon = try RunningDaemon()
    try daemon.stop()
    let second = try fill(daemon.store)
    try daemon.start()
    let (first, all) = (API.Span(since: nil, until: second), API.Span())
    var client = try TouchgridClient(path: daemon.socket, timeout: .seconds(120 * slowness))
    let one = try client.call(API.GetGrids(layer: .taps, screen: "screen 0", span: first))
    let before = try peak(daemon.process)

    var asking = try TouchgridClient(path: daemon.socket)
    try asking.start(API.GetGrids(layer: .taps, span: first))
    var names: Set<String> = []
    let asked = try processorSeconds(daemon.process)
    while names.count < 16 {
      let answer = try asking.receive(API.GetGrids.self, within: .seconds(120 * slowness))
      let (reply, continues) = try #require(answer)
      let grid = try #require(reply.grids.first)
      try #require(names.insert(grid.screen).inserted)
      #expect(grid.sum == one.grids.first?.sum && grid.mean == one.grids.first?.mean)
      #expect(reply.grids.count == 1 && continues == (names.count < 16))
    }
    let answering = try processorSeconds(daemon.process) - asked
    let growth = try peak(daemon.process) - before
    #expect(growth < 60 * Int(slowness) << 10, "memory grew by \(growth) KiB")

    // A reply that would be too long is refused before the grids are summed up.
    let spent = try processorSeconds(daemon.process)
    let fault = client.fails(API.ReplyTooLong.self, API.GetGrids(layer: .taps, span: all))
    #expect(fault?.message.contains("or use \"more\"") == true)
    try asking.start(API.GetGrids(layer: .taps, span: all))
    let faultOfMore = expect(API.ReplyTooLong.self) { () throws(TouchgridError) in
      _ = try asking.receive(API.GetGrids.self, within: .seconds(120 * slowness))
    }
    #expect(faultOfMore?.message.contains("single screen") == true)
    #expect(faultOfMore?.message.contains("more\"") == false)
    #expect(try processorSeconds(daemon.process) - spent < 4 * Double(slowness))

    // A query in progress does not delay the end of the daemon.
    try asking.start(API.GetGrids(layer: .taps, span: first))
    _ = try client.call(API.GetStatus())
    let (stopping, others) = (try processorSeconds(daemon.process), endedProcessorSeconds())
    try daemon.stop()
    // If the query continued, stopping would cost as much as the answer to the first query.
    #expect(endedProcessorSeconds() - others - stopping < answering / 4)
  }

  /// Returns the processor time of the programs that have ended, in seconds.
  private func endedProcessorSeconds() -> Double {
    var usage = rusage()
    unsafe getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000
    }
  }
}
