import ArgumentParser
import Heatmaps
import Storage
import Text
import TouchModel

extension StoreMaintenance {
  struct Recover: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Saves what can be read from a damaged store.",
      discussion: """
        Reads the file page by page, with the -wal file beside it, and writes what is intact to a new \
        store. The damaged file is not changed. A session is saved with all its screens and grids, or \
        not at all. Lost sums of days are recomputed from the saved sessions. The new file gets the \
        permissions of the damaged one, and its owner if the kernel allows that. Exit status 0 if there is a new store, however much was lost.

        --json prints what was saved, and each lost session.
        """)

    @Argument(
      help: ArgumentHelp(
        "The file of the damaged store, which the daemon has renamed to touchgrid.db.damaged-TIME.",
        valueName: "damaged"), completion: .file())
    var damaged: String

    @Option(
      help: ArgumentHelp(
        "The new file. Default: DAMAGED.recovered.", valueName: "file"),
      completion: .file())
    var into: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
      let target = into ?? damaged + ".recovered"
      try ProcessIdentity.becomeOwner(ofStore: damaged, writing: target)
      let lock = try StoreLock(damaged)
      let new = try NewStoreFile(
        target, replaces: false, from: damaged, access: StoreAccess(of: damaged))
      let report = try recover(into: new.temporary)
      withExtendedLifetime(lock) {}
      try new.finish()
      if json { return try writeJSON(RecoveryReply(report, into: target)) }
      try writeLines(RecoveryLines.lines(report, into: target, width: Terminal.width))
    }

    private func recover(into path: String) throws -> RecoveryReport {
      let progress = MaintenanceTicker("store recover")
      return try Recovery.run(damaged, into: path) { progress.follow($0) }
    }
  }
}
