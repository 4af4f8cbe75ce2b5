import ArgumentParser
import GridFormats
import Storage
import TouchModel

extension StoreCare {
  struct Recover: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Saves what can be read of a damaged store.",
      discussion: """
        Reads the file page by page, with the -wal file beside it, and writes what is whole into a new \
        store. The damaged file is not changed. A session is saved with all its screens and grids or \
        not at all; sums of days that were lost are made anew of their sessions where these are \
        there. The new file belongs to whom the damaged one did. Exit status 0 where there is a new \
        store, however much was lost.

        --json prints what was saved, and each session that was lost.
        """)

    @Argument(
      help: ArgumentHelp(
        "The damaged store. The daemon moves one aside as touchgrid.db.damaged-TIME.",
        valueName: "damaged"), completion: .file())
    var damaged: String

    @Option(
      help: ArgumentHelp(
        "The new file; DAMAGED with .recovered behind it unless given.", valueName: "file"),
      completion: .file())
    var into: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
      let target = into ?? damaged + ".recovered"
      try Acting.asOwner(ofStore: damaged, writing: target)
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
      let progress = CareTicker("store recover")
      return try Recovery.run(damaged, into: path) { progress.follow($0) }
    }
  }
}
