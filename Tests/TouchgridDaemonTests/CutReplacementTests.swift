import Foundation
import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Kills the daemon at every step of replacing a damaged store. The next start must finish the
/// replacement, no part of the damaged store may be lost, and no session number may be used twice.
@Suite final class CutReplacementTests {
  /// A library for `LD_PRELOAD`. It kills the process before the n-th of the calls that change
  /// files; the environment variable `TOUCHGRID_STEPS` is n.
  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <sys/types.h>
    #include <unistd.h>

    static void step(void)
    {
      static int left = -1;
      if (left < 0)
        left = atoi(getenv("TOUCHGRID_STEPS"));
      if (--left == 0)
        kill(getpid(), SIGKILL);
    }

    #define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))
    int rename(const char *old, const char *new) { step(); return REAL(rename)(old, new); }
    int unlink(const char *path) { step(); return REAL(unlink)(path); }
    int fsync(int file) { step(); return REAL(fsync)(file); }
    int fdatasync(int file) { step(); return REAL(fdatasync)(file); }
    int ftruncate64(int file, off64_t size) { step(); return REAL(ftruncate64)(file, size); }
    """

  private let daemon: RunningDaemon

  init() throws { daemon = try RunningDaemon() }

  /// Returns the contents of the store's file and of the files beside it, by the part of their
  /// names after "touchgrid.db".
  private func files() throws -> [String: Data] {
    let names = try daemon.folder.names.filter { $0.hasPrefix("touchgrid.db") }
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        (
          String($0.dropFirst("touchgrid.db".count)),
          try Data(contentsOf: URL(filePath: daemon.folder.path($0)))
        )
      })
  }

  private func remove() throws {
    for ending in try files().keys {
      try FileManager.default.removeItem(atPath: daemon.store + ending)
    }
  }

  /// Makes a damaged store with 40 sessions and 6 runs, which are only in the WAL.
  /// - Parameter isReadable: Whether SQLite can read it. The store then counts as damaged because
  ///   it contains a trigger. Otherwise the header of the database is overwritten.
  private func makeDamagedStore(isReadable: Bool) throws {
    try remove()
    // A file with such a name that is not from a replacement stays.
    try daemon.folder.write("mine", to: "touchgrid.db.new-mine")
    let time = WallTime(milliseconds: 1_714_521_600_000)
    // The store is created and closed first, which keeps its first page out of the WAL. Otherwise
    // SQLite would read that page from the WAL, and not the overwritten one.
    do { _ = try Store(path: daemon.store) }
    do {
      let store = try Store(path: daemon.store)
      for id in 1...40 as ClosedRange<Int64> {
        try store.write(
          SessionRecord(
            id: id, began: time, lastActive: time, end: .idle, tags: [:], totals: SessionTotals(),
            changedViews: [], changedGrids: []))
      }
      for _ in 1...6 { _ = try store.beginRun(at: time) }
      if isReadable {
        try store.database.execute("CREATE TRIGGER t AFTER DELETE ON run BEGIN SELECT 1; END")
      }
      store.leaveWAL()
    }
    guard !isReadable else { return }
    let file = try FileHandle(forWritingTo: URL(filePath: daemon.store))
    try file.write(contentsOf: Data(repeating: 0x55, count: 100))
    try file.close()
  }

  @Test(arguments: [true, false])
  func `A daemon killed at any step of a replacement finishes it at the next start`(
    isReadable: Bool
  ) throws {
    try daemon.stop()
    let environment = try Interposed.environment(Self.source, in: daemon.folder)
    try makeDamagedStore(isReadable: isReadable)
    let before = try files()
    var steps = 0
    var asides: Set<Int> = []
    while true {
      steps += 1
      try remove()
      for (ending, data) in before { try data.write(to: URL(filePath: daemon.store + ending)) }
      daemon.environment = environment.merging(["TOUCHGRID_STEPS": "\(steps)"]) { $1 }
      try daemon.launch()
      let isOver = daemon.process.isRunning
      var log = daemon.log
      if isOver { try daemon.stop(SIGKILL) }
      let place = "step \(steps): \(try files().keys.sorted())"
      asides.insert(try files().keys.count { $0.hasPrefix(".damaged-") })

      daemon.environment = nil
      try daemon.start()
      log += daemon.log
      try daemon.stop()
      let after = try files()
      #expect(after.keys.filter { $0.hasPrefix(".new-") } == [".new-mine"], "\(place)")
      // The database and its WAL were moved aside unchanged, with the same name.
      let aside = try #require(after.keys.filter { $0.hasPrefix(".damaged-") }.min())
      let wal = try #require(before["-wal"])
      #expect(wal.count > 100_000)
      #expect(after[aside] == before[""] && after[aside + "-wal"] == wal, "\(place)")
      #expect(
        after.keys.allSatisfy { !$0.hasPrefix(".damaged-") || $0.hasPrefix(aside) }, "\(place)")
      #expect(log.contains("touchgrid store recover \(daemon.store)\(aside)"), "\(place): \(log)")
      let store = try Store(reading: daemon.store)
      let run = try store.database.integer("SELECT max(id) FROM run")
      #expect(try isReadable ? store.nextSessionID == 41 : store.nextSessionID > 1_000_000_000)
      #expect(isReadable ? (7...9).contains(run) : run > 400_000, "\(place)")
      if isOver { break }
    }
    #expect(steps > 12 && asides.isSuperset(of: [0, 1, 2]), "\(steps), \(asides)")
  }
}
