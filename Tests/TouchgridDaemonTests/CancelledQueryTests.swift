import Foundation
import TestSupport
import Testing
import TouchModel
import TouchgridAPI
import Varlink

@testable import Storage

/// Clients that start expensive queries and disconnect before the answer.
@Suite struct CancelledQueryTests {
  /// Makes a store with 100,000 sessions on a future day, which is never rolled up.
  private func fill(_ path: String) throws {
    let geometry = try #require(DisplayGeometry(pixelWidth: 320, pixelHeight: 240, blockSize: 16))
    let key = GridKey(display: "HDMI-A-1", screen: "menu", geometry: geometry)
    var taps = Counters(count: geometry.columns * geometry.rows)
    taps[7] = 3
    var totals = SessionTotals()
    (totals.begun, totals.counted) = (3, 3)
    let began = WallTime(
      milliseconds: Int64(Date.now.timeIntervalSince1970 * 1000) + 10 * 86_400_000)
    let store = try Store(path: path)
    try store.write(
      SessionRecord(
        id: 1, began: began, lastActive: began, end: .idle, totals: totals,
        changedViews: [ScreenView(key: key, shownMilliseconds: 9, touches: 3)],
        changedGrids: [Grid(key: key, layer: .taps, counters: taps)]))
    let columns = [
      "session": """
      day, began, last_active, ended, end_reason, tags, begun, counted, masked, palms, ghosts, swallowed, \
      still_down, preexisting, cancelled, clamped, drops
      """,
      "screen_view": "display, screen, geometry, placement, shown_ms, touches",
      "grid": "display, screen, geometry, layer, bytes_per_cell, cells",
    ]
    for table in ["session", "screen_view", "grid"] {
      let (id, rest) = (table == "session" ? "id" : "session", try #require(columns[table]))
      try store.database.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
        INSERT INTO \(table) (\(id), \(rest)) SELECT i, \(rest) FROM n, \(table) WHERE \(id) = 1
        """)
    }
  }

  @Test(arguments: [false, true])
  func `Queries of clients that have disconnected do not delay others`(
    more: Bool
  ) throws {
    let daemon = try RunningDaemon()
    try daemon.stop()
    try fill(daemon.store)
    try daemon.start()
    var first = try TouchgridClient(path: daemon.socket, timeout: .seconds(120 * slowness))
    let asked = ContinuousClock.now
    let reply = try first.call(API.GetGrids(layer: .taps))
    let answer = ContinuousClock.now - asked
    #expect(reply.grids.map(\.sessions) == [100_000])
    for _ in 0..<60 {
      var client = try Client(path: daemon.socket)
      try client.start(API.GetGrids.name, API.GetGrids(layer: .taps), more: more)
    }
    // Answering all sixty queries would take about three times this timeout.
    let timeout = answer * 20 + .seconds(2 * slowness)
    var last = try TouchgridClient(path: daemon.socket, timeout: timeout)
    let none = try last.call(
      API.ListSessions(span: API.Span(since: WallTime(milliseconds: 1 << 52))))
    #expect(none.sessions.isEmpty)
  }
}
