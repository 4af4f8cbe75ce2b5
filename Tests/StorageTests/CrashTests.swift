import Glibc
import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Opens the files of a store again after a crash of the daemon or the machine at any moment.
@Suite struct CrashTests {
  private func copy(_ folder: TemporaryFolder, to other: TemporaryFolder, logBytes: Int? = nil)
    throws
  {
    try write(try contents(folder.file()), to: other.file())
    let log = try contents(folder.file() + "-wal")
    try write(log.prefix(logBytes ?? log.count), to: other.file() + "-wal")
    unsafe unlink(other.file() + "-shm")
  }

  @Test func `The start of the daemon does not scan sessions that are rolled up`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file(), options: options())
    var plan: [String] = []
    try store.database.each("EXPLAIN QUERY PLAN " + Store.closing) { row throws(StoreError) in
      plan.append(try row.text(3))
    }
    #expect(plan == ["SCAN session USING INDEX session_pending"])
  }

  @Test func `After a power cut, the store contains one of the versions written`() throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let store = try Store(path: folder.file(), options: options())
    try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let view = try key("menu", geometry(320, 240))
    var versions: [SessionRecord] = []
    for taps in 1...8 {
      let values = (0..<taps * 20).map { ($0, UInt64(taps)) }
      let version = try record(
        1, end: taps == 8 ? .idle : nil, taps: Dictionary(values) { $1 }, view)
      try store.write(version)
      versions.append(ordered(version))
    }
    let log = size(folder.file() + "-wal")
    var seen: Set<Int> = []
    for bytes in stride(from: 0, through: Int(log), by: 997) {
      try copy(folder, to: other, logBytes: bytes)
      let after = try Store(path: other.file(), options: options())
      guard let session = try after.session(1)?.record else {
        #expect(seen.isEmpty, "a longer log never holds less")
        continue
      }
      let version = try #require(versions.firstIndex(of: session))
      #expect(seen.allSatisfy { $0 <= version })
      seen.insert(version)
      #expect(session.totals.isBalanced)
      #expect(session.changedGrids.reduce(0) { $0 + $1.counters.sum } == session.totals.counted)
      try after.closeUnfinished()
      #expect(try after.nextSessionID == 2)
    }
    #expect(seen.count > 4, "\(seen)")
  }
}

@Suite struct FullDiskTests {
  /// A file system of 1 MiB that is really full, if this user may mount one.
  @Test(.enabled(if: geteuid() == 0 && canMount))
  func `Nothing is lost when the file system is full for a while`() throws {
    let folder = try TemporaryFolder()
    try #require(try run("mount -t tmpfs -o size=1m tmpfs \(folder.path)").status == 0)
    defer { _ = try? run("umount -l \(folder.path)") }
    let failures = Collected<StoreError>()
    let thread = try StorageThread(
      Store(path: folder.file(), options: options()), onError: { failures.add($0) })
    thread.submit(.write(try record(1, taps: [0: 1])))
    drain(thread)
    #expect(failures.all.isEmpty)
    try run("dd if=/dev/zero of=\(folder.path)/ballast bs=1k count=2000")
    var dice = SeededGenerator(seed: 1)
    for id in 2...5 {
      var session = try record(Int64(id), key("s\(id)", geometry(1024, 768)))
      for index in 0..<3072 {
        session.changedGrids[0].counters[index] = dice.next() & 0xff
      }
      thread.submit(.write(session))
      drain(thread)
    }
    #expect(!failures.all.isEmpty)
    #expect(failures.all.allSatisfy { $0.code == .full || $0.code == .io }, "\(failures.all)")
    unsafe unlink(folder.file("ballast"))
    #expect(thread.finish() == nil)
    let after = try Store(path: folder.file(), options: options())
    #expect(try after.sessions(in: .always).map(\.record.id) == [1, 2, 3, 4, 5])
    #expect(try after.screens(in: .always).count == 5)
  }
}

/// Whether this process can mount a tmpfs.
let canMount: Bool = {
  guard let folder = try? TemporaryFolder(),
    let mount = try? run("mount -t tmpfs -o size=64k tmpfs \(folder.path)"), mount.status == 0
  else { return false }
  _ = try? run("umount \(folder.path)")
  return true
}()
