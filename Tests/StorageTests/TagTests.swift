import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Queries for sessions with certain tags.
@Suite final class TagTests: StoreSuite {
  private func write(_ id: Int64, began: Int64 = mayFirst, tags: [String: String]) throws {
    var record = try record(id, began: began, taps: [0: UInt64(id)])
    record.tags = tags
    try store.write(record)
  }

  private func ids(_ tags: [String: String]) throws -> [Int64] {
    try store.sessions(in: .always, SessionFilter(tags: tags)).map(\.record.id)
  }

  private func sum(_ tags: [String: String], in span: TimeSpan = .always) throws -> UInt64? {
    try store.grids(screen: "menu", layer: .taps, in: span, tags: tags).first?.sum[0]
  }

  @Test func `Keys and values are compared literally, even if they look like SQL or JSON`() throws {
    let odd = [
      "'", "\"", "\\", "$", "$.a", "[0]", "a.b", "a\"b", "%", "_", "?1", "\u{e9}", "\u{1f389}", "1",
      " ",
      "true", "null", "'; DROP TABLE session; --",
    ]
    for (index, name) in odd.enumerated() {
      try write(Int64(index + 1), tags: [name: name])
    }
    for (index, name) in odd.enumerated() {
      #expect(try ids([name: name]) == [Int64(index + 1)], "\(name)")
      #expect(try sum([name: name]) == UInt64(index + 1), "\(name)")
      #expect(try ids([name: name + "x"]).isEmpty)
    }
  }

  @Test func `After sessions were dropped, the error says since when tags are complete`() throws {
    for day in 0..<4 {
      for number in 1...2 {
        try write(
          Int64(2 * day + number), began: mayFirst + Int64(day) * dayLength + Int64(number) * hour,
          tags: ["build": number == 1 ? "1.4" : "1.5"])
      }
    }
    #expect(try sum(["build": "1.4"]) == 1 + 3 + 5 + 7)
    try store.rollUp(today: #require(Day("2024-05-04")))
    #expect(try sum(["build": "1.4"]) == 1 + 3 + 5 + 7)
    // Half of the second day's sessions are removed.
    try store.retain(
      now: WallTime(milliseconds: mayFirst + dayLength + 2 * hour), keepSessions: .zero,
      maxSize: nil)
    #expect(try ids([:]) == [4, 5, 6, 7, 8])
    let error = try failure { () throws(StoreError) in
      try store.grids(screen: nil, layer: .taps, in: .always, tags: ["build": "1.4"])
    }
    #expect(error.code == .tagsGone && !error.isTransient)
    #expect(error.message.contains("sessions up to 2024-05-02 were deleted"))
    #expect(error.message.contains("tags are complete from 2024-05-03 on"))
    let since = WallTime(milliseconds: mayFirst + 2 * dayLength)
    #expect(try sum(["build": "1.4"], in: TimeSpan(since: since)) == 5 + 7)
    // Without tags, the sums give the answer.
    #expect(try sum([:]) == (1...8).reduce(0, +))

    try store.rollUp(today: #require(Day("2030-01-01")))
    try store.retain(
      now: WallTime(milliseconds: mayFirst + 9 * dayLength), keepSessions: .zero, maxSize: nil)
    let all = try failure { () throws(StoreError) in
      try store.grids(
        screen: nil, layer: .taps, in: TimeSpan(since: since), tags: ["build": "1.4"])
    }
    #expect(all.code == .tagsGone && all.message.contains("there are no later sessions"))
  }

  @Test func `Tags that are not JSON are damage, and other JSON matches no query`() throws {
    try write(1, tags: ["build": "1.4"])
    try store.database.execute("UPDATE session SET tags = '{'")
    #expect(
      try failure { () throws(StoreError) in
        try store.sessions(in: .always, SessionFilter(tags: ["build": "1.4"]))
      }.code == .damaged)
    #expect(
      try failure { () throws(StoreError) in
        try store.grids(screen: nil, layer: .taps, in: .always, tags: ["build": "1.4"])
      }.code == .damaged)
    for odd in ["[]", "7", "{\"build\": 1.4}", "{\"build\": {\"a\": \"1.4\"}}", "null"] {
      try store.database.run("UPDATE session SET tags = ?1", [.text(odd)])
      #expect(try sum(["build": "1.4"]) == nil, "\(odd)")
    }
  }
}
