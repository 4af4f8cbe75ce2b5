import Foundation
import TestSupport
import Testing
import TouchModel
import TouchgridAPI

@testable import Storage

@Suite struct ForgetTests {
  private let always = API.Span()

  private func failure(
    _ call: API.Forget, _ client: inout TouchgridClient
  ) throws -> TouchgridError {
    do throws(TouchgridError) {
      _ = try client.call(call)
    } catch {
      return error
    }
    Issue.record("no error")
    throw CancellationError()
  }

  @Test
  func `The running session is forgotten, the next touch opens another, and watching goes on`()
    throws
  {
    let daemon = try RunningDaemon(
      "[store]\ncheckpoint = \"1s\"\n", playing: taps(3000, every: 50_000))
    var client = try daemon.client()
    var watcher = try daemon.client()
    try watcher.start(API.WatchTouches())
    try daemon.pass(seconds: 3)
    let first = try #require(try client.call(API.GetStatus()).session)
    #expect(first.totals.counted > 10)
    let secret = "a word that nobody else says"
    _ = try client.call(API.TagSession(tags: ["visitor": secret]))
    // Wait until the session is on the disk.
    try daemon.pass(seconds: 2)
    let stored = try within(seconds: 60) {
      try client.call(API.GetStatus()).store.bytes > 0
        && traces(of: secret, in: daemon).isEmpty == false
    }
    #expect(stored)
    let reply = try client.call(API.Forget(session: first.id))
    #expect(reply.sessions == 1 && reply.days == 1 && reply.touches >= first.totals.begun)
    #expect(try traces(of: secret, in: daemon) == [])
    try daemon.pass(seconds: 2)
    #expect(try client.call(API.GetStatus()).session?.id == first.id + 1)
    let sessions = try client.call(API.ListSessions()).sessions
    #expect(sessions.map(\.id) == [first.id + 1])
    let known = try #require(sessions.first)
    #expect(known.tags.isEmpty && known.beganAtMs > first.beganAtMs)
    let again = try failure(API.Forget(session: first.id), &client)
    #expect(again.as(API.NoSuchSession.self) != nil)
    // The watcher still receives touches.
    while try watcher.receive(API.WatchTouches.self, within: .zero) != nil {}
    try daemon.pass(seconds: 2)
    let frame = try watcher.receive(API.WatchTouches.self, within: .zero)?.reply
    #expect(frame?.touches.isEmpty == false)
    try daemon.stop()
    let store = try Store(path: daemon.store)
    let left = try store.sessions(in: .always)
    #expect(left.map(\.record.id) == [first.id + 1])
    let whole = try #require(try store.session(first.id + 1)).record
    #expect(whole.totals.isBalanced)
    // The new session contains all its own touches, and none of the forgotten session.
    #expect(
      whole.changedGrids.filter { $0.layer == .taps }.reduce(0) { $0 + $1.counters.sum }
        == whole.totals.counted)
  }

  @Test func `Forget needs exactly one selection, which may be all of time`() throws {
    let daemon = try RunningDaemon()
    var client = try daemon.client()
    let session = try client.call(API.BeginSession()).session
    #expect(try failure(API.Forget(), &client).as(API.InvalidValue.self) != nil)
    let both = try failure(API.Forget(span: always, session: session), &client)
    #expect(both.as(API.InvalidValue.self) != nil)
    let backwards = API.Span(since: WallTime(milliseconds: 9), until: WallTime(milliseconds: 8))
    #expect(try failure(API.Forget(span: backwards), &client).as(API.InvalidValue.self) != nil)
    #expect(try failure(API.Forget(session: 77), &client).as(API.NoSuchSession.self) != nil)
    #expect(try client.call(API.GetStatus()).session?.id == session)
    let past = API.Span(since: nil, until: WallTime(milliseconds: 1_000_000))
    #expect(try client.call(API.Forget(span: past)) == .init(sessions: 0, touches: 0, days: 0))
    #expect(try client.call(API.GetStatus()).session?.id == session)
    // Forgets the running session, which has never been written to the disk.
    #expect(try client.call(API.Forget(span: always)) == .init(sessions: 1, touches: 0, days: 1))
    #expect(try client.call(API.GetStatus()).session == nil)
    #expect(try client.call(API.ListSessions()).sessions.isEmpty)
    #expect(try client.call(API.BeginSession()).session == session + 1)
  }

  @Test
  func `If the store cannot forget, the error says why and the running session is ended`() throws {
    let daemon = try RunningDaemon()
    try daemon.stop()
    // Make a rolled-up day of which one session has been deleted.
    let day: Int64 = 1_714_521_600_000
    do {
      let store = try Store(path: daemon.store)
      for id in Int64(1)...2 {
        try store.write(
          SessionRecord(
            id: id, began: WallTime(milliseconds: day + id * 1000),
            lastActive: WallTime(milliseconds: day + id * 1000), end: .idle,
            totals: SessionTotals()))
      }
      try store.rollUp(today: #require(Day("2025-01-01")))
      try store.database.execute("DELETE FROM session WHERE id = 1")
    }
    try daemon.start()
    var client = try daemon.client()
    let session = try client.call(API.BeginSession()).session
    let error = try failure(
      API.Forget(span: API.Span(since: WallTime(milliseconds: day + 1500))), &client)
    #expect(error.as(API.StoreFailed.self)?.code == API.StoreFailed.onlyWholeDays)
    #expect("\(error)".contains("2024-0"))
    let ended = try #require(try client.call(API.ListSessions()).sessions.last)
    #expect(ended.id == session && ended.end == .client)
    #expect(try client.call(API.GetStatus()).store.error == nil)
    let reply = try client.call(API.Forget(span: always))
    #expect(reply.sessions == 3)
    #expect(try client.call(API.ListDays()).days.isEmpty)
    #expect(
      daemon.log.contains("nothing was forgotten: the span includes only a part of"),
      "\(daemon.log)")
    #expect(daemon.log.contains("forgot 3 sessions"), "\(daemon.log)")
  }

  private func traces(of word: String, in daemon: RunningDaemon) throws -> [String] {
    ["", "-wal", "-shm"].filter { ending in
      let data = try? Data(contentsOf: URL(filePath: daemon.store + ending))
      return data?.range(of: Data(word.utf8)) != nil
    }
  }
}
