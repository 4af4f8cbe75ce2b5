import Testing
import TouchModel

@testable import Storage

/// Questions among what is to be written.
@Suite struct QuestionTests {
  let folder: Folder
  let answers = Collected<[Int64]>()
  /// How many of the things that stop the storage thread may go on.
  let gate = Collected<Int>()
  let stopped = Collected<Int>()

  init() throws { folder = try Folder() }

  private func start(
    onError: @escaping @Sendable (StoreError) -> Void = { _ in }
  ) throws -> Worker {
    let store = try Store(path: folder.file(), options: options())
    let worker = Worker(store, backlogLimit: 64 << 20, onError: onError)
    try worker.start()
    return worker
  }

  /// A question that takes until the gate opens.
  private func stop(_ worker: Worker) {
    let isTaken = worker.submit(
      .ask { [gate, stopped] _ in
        stopped.add(1)
        _ = gate.first(1)
      })
    #expect(isTaken)
    _ = stopped.first(1)
  }

  private func ask(_ worker: Worker) -> Bool {
    worker.submit(
      .ask { [answers] in answers.add((try? $0.sessions(in: .always).map(\.record.id)) ?? []) })
  }

  private func finish(_ worker: Worker) -> StoreError? {
    worker.monitor.change { $0.isFinishing = true }
    return worker.monitor.take { $0.isDone ? .take($0.outcome) : .wait }
  }

  @Test func noMoreThanSixtyFourWait() throws {
    let worker = try start()
    stop(worker)
    for _ in 0..<64 { #expect(ask(worker)) }
    #expect(!ask(worker))
    gate.add(1)
    #expect(answers.first(64).count == 64)
    #expect(finish(worker) == nil)
  }

  @Test func whatComesWhileAQuestionIsAnsweredIsWrittenBeforeTheNext() throws {
    let waiting = try record(1)
    let worker = try start()
    stop(worker)
    #expect(ask(worker))
    #expect(ask(worker))
    #expect(worker.submit(.write(waiting)))
    gate.add(1)
    #expect(answers.first(2) == [[1], [1]])
    #expect(finish(worker) == nil)
  }

  @Test func aQuestionDoesNotWaitForADiskThatFailed() throws {
    let waiting = try record(1)
    let failures = Collected<StoreError>()
    let worker = try start { failures.add($0) }
    #expect(ask(worker))
    _ = answers.first(1)
    let blocker = try Store(path: folder.file(), options: options())
    try blocker.database.execute("BEGIN IMMEDIATE")
    #expect(worker.submit(.write(waiting)))
    _ = failures.first(1)
    for count in 2...21 {
      #expect(ask(worker))
      #expect(answers.first(count).last == [])
    }
    #expect(failures.all.count < 10, "tried again by itself alone")
    try blocker.database.execute("ROLLBACK")
    #expect(finish(worker) == nil)
    let stored = try Store(reading: folder.file(), options: options()).session(1)
    #expect(stored?.record.id == 1)
  }

  @Test func theEndDropsQuestionsThatWaitAndWritesTheRest() throws {
    let waiting = try record(1)
    let worker = try start()
    stop(worker)
    for _ in 0..<10 { #expect(ask(worker)) }
    #expect(worker.submit(.write(waiting)))
    worker.monitor.change { $0.isFinishing = true }
    gate.add(1)
    #expect(finish(worker) == nil)
    #expect(answers.all.isEmpty)
    #expect(worker.monitor.look { $0.questions.isEmpty })
    let stored = try Store(reading: folder.file(), options: options()).session(1)
    #expect(stored?.record.id == 1)
  }

  @Test func theEndDropsTheQuestionOfThePassItInterrupts() throws {
    let worker = try start { [gate, stopped] _ in
      stopped.add(2)
      _ = gate.first(2)
    }
    stop(worker)
    var refused = try record(1)
    refused.totals.begun += 1
    #expect(worker.submit(.write(refused)))
    #expect(ask(worker))
    gate.add(1)
    _ = stopped.first(2)
    worker.monitor.change { $0.isFinishing = true }
    gate.add(2)
    #expect(finish(worker) == nil)
    #expect(answers.all.isEmpty)
  }
}
