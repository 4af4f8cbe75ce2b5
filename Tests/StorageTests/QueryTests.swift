import Glibc
import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Queries, which run on a thread of their own beside the writer's.
@Suite final class QueryTests: FolderSuite {
  let answers = Collected<[Int64]>()
  let failures = Collected<StoreError>()
  /// The number of blocked queries that may continue.
  let gate = Collected<Int>()
  let stopped = Collected<Int>()

  private func start(
    onError: @escaping @Sendable (StoreError) -> Void = { _ in }
  ) throws -> Worker {
    let path = folder.file()
    return try start(
      reader: { () throws(StoreError) in
        try Store(besideWriterOf: path, options: options())
      }, onError: onError)
  }

  /// - Parameter reader: Opens the connection for queries.
  private func start(
    reader: @escaping @Sendable () throws(StoreError) -> Store,
    onError: @escaping @Sendable (StoreError) -> Void = { _ in }
  ) throws -> Worker {
    let store = try Store(path: folder.file(), options: options())
    let worker = Worker(store, backlogLimit: 64 << 20, reader: reader, onError: onError)
    try worker.start()
    return worker
  }

  /// Sends a query that blocks until the gate opens.
  @discardableResult
  private func stop(_ worker: Worker) -> QueryID? {
    let id = worker.enqueue { [gate, stopped] _ in
      stopped.add(1)
      _ = gate.first(1)
    }
    #expect(id != nil)
    _ = stopped.first(1)
    return id
  }

  @discardableResult
  private func ask(_ worker: Worker) -> QueryID? {
    worker.enqueue { [answers, failures] store in
      do throws(StoreError) {
        answers.add(try store.get().sessions(in: .always).map(\.record.id))
      } catch {
        failures.add(error)
      }
    }
  }

  /// Sends a query that never ends by itself.
  private func askForever(_ worker: Worker) throws -> QueryID {
    let id = worker.enqueue { [stopped, failures] store in
      stopped.add(1)
      do throws(StoreError) {
        let store = try store.get()
        // An endless sequence of distinct rows.
        try store.database.each(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        ) { _ in }
      } catch {
        failures.add(error)
      }
    }
    _ = stopped.first(1)
    return try #require(id)
  }

  private func finish(_ worker: Worker) -> StoreError? {
    worker.finish()
    return worker.monitor.wait { $0.isDone ? .done($0.outcome) : .wait }
  }

  private func ids() throws -> [Int64] {
    try Store(reading: folder.file(), options: options()).sessions(in: .always).map(\.record.id)
  }

  @Test func `At most 64 queries wait`() throws {
    let worker = try start()
    stop(worker)
    for _ in 0..<64 { #expect(ask(worker) != nil) }
    #expect(ask(worker) == nil)
    gate.add(1)
    #expect(answers.first(64).count == 64)
    #expect(finish(worker) == nil)
  }

  @Test func `Records are written while a query is being answered`() throws {
    let worker = try start()
    _ = try askForever(worker)
    #expect(worker.submit(.write(try record(1))))
    #expect(within(seconds: 10) { (try? ids()) == [1] })
    #expect(failures.all.isEmpty, "the query is still running")
    #expect(finish(worker) == nil)
  }

  @Test func `A query waits for records submitted before it and sees them`() throws {
    let path = folder.file()
    // A refused record is reported, and the report blocks the writer.
    let worker = try start(onError: { [gate, stopped] _ in
      stopped.add(1)
      _ = gate.first(1)
    })
    ask(worker)
    #expect(answers.first(1) == [[]])
    var refused = try record(1)
    refused.totals.begun += 1
    #expect(worker.submit(.write(refused)))
    _ = stopped.first(1)
    #expect(worker.submit(.write(try record(2))))
    ask(worker)
    usleep(200_000)
    #expect(answers.all.count == 1, "the query waits for session 2")
    gate.add(1)
    #expect(answers.first(2) == [[], [2]])
    #expect(finish(worker) == nil)
    #expect(size(path + "-wal") == 0, "the writer closed last and removed the WAL")
  }

  @Test func `A query does not wait for a store that cannot be written`() throws {
    let waiting = try record(1)
    let errors = Collected<StoreError>()
    let worker = try start(onError: { errors.add($0) })
    ask(worker)
    _ = answers.first(1)
    let blocker = try Store(path: folder.file(), options: options())
    try blocker.database.execute("BEGIN IMMEDIATE")
    #expect(worker.submit(.write(waiting)))
    _ = errors.first(1)
    for count in 2...21 {
      ask(worker)
      #expect(answers.first(count).last == [])
    }
    #expect(errors.all.count < 10, "only the writer retries")
    try blocker.database.execute("ROLLBACK")
    #expect(finish(worker) == nil)
    #expect(try ids() == [1])
  }

  @Test func `The end stops the query, drops waiting ones and writes the remaining records`() throws
  {
    let worker = try start()
    _ = try askForever(worker)
    for _ in 0..<10 { ask(worker) }
    #expect(worker.submit(.write(try record(1))))
    let began = Clock.monotonic
    #expect(finish(worker) == nil)
    #expect(Clock.monotonic - began < 3_000_000_000)
    #expect(failures.all.map(\.code) == [.interrupted])
    #expect(answers.all.isEmpty)
    #expect(worker.monitor.read { $0.queries.waiting.isEmpty })
    #expect(ask(worker) == nil)
    #expect(try ids() == [1])
  }

  @Test func `A cancelled query stops and the next one is answered`() throws {
    let worker = try start()
    let forever = try askForever(worker)
    ask(worker)
    worker.giveUp(forever)
    #expect(answers.first(1) == [[]])
    #expect(failures.all.map(\.code) == [.interrupted])
    worker.giveUp(forever)
    ask(worker)
    #expect(answers.first(2) == [[], []], "cancelling a finished query stops no other")
    #expect(finish(worker) == nil)
  }

  @Test func `A query cancelled while it waits never runs`() throws {
    let worker = try start()
    stop(worker)
    let asked = worker.enqueue { [answers] _ in answers.add([7]) }
    let id = try #require(asked)
    ask(worker)
    worker.giveUp(id)
    gate.add(1)
    #expect(answers.first(1) == [[]])
    #expect(finish(worker) == nil)
    #expect(answers.all == [[]])
  }

  @Test func `Queries report why no connection could be opened, and writing goes on`() throws {
    let refusals = Collected<Int>()
    let path = folder.file()
    let worker = try start(reader: { [refusals] () throws(StoreError) in
      refusals.add(1)
      if refusals.all.count > 2 { return try Store(besideWriterOf: path, options: options()) }
      throw StoreError(.cannotOpen, message: "too many open files", path: path)
    })
    ask(worker)
    ask(worker)
    #expect(failures.first(2).map(\.code) == [.cannotOpen, .cannotOpen])
    #expect(worker.submit(.write(try record(1))))
    ask(worker)
    #expect(answers.first(1) == [[1]], "the next query opens it again")
    #expect(finish(worker) == nil)
  }

  @Test func `The connection for queries is not opened before the first query`() throws {
    let opened = Collected<Int>()
    let path = folder.file()
    let worker = try start(reader: { () throws(StoreError) in
      opened.add(1)
      return try Store(besideWriterOf: path, options: options())
    })
    #expect(worker.submit(.write(try record(1))))
    #expect(finish(worker) == nil)
    #expect(opened.all.isEmpty)
  }

  @Test func `The connection for queries cannot write`() throws {
    let store = try Store(path: folder.file(), options: options())
    try store.write(record(1))
    let reader = try Store(besideWriterOf: folder.file(), options: options())
    let second = try record(2)
    #expect(try failure { () throws(StoreError) in try reader.write(second) }.code == .readOnly)
    #expect(try reader.sessions(in: .always).map(\.record.id) == [1])
  }
}
