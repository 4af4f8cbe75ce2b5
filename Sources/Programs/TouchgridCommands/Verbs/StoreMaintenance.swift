import ArgumentParser
import Heatmaps
import Storage
import Text
import TouchModel

/// The verbs `touchgrid store check|compact|backup|recover`.
struct StoreMaintenance: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Checks, copies, compacts and recovers the store.",
    discussion: """
      check and backup may run while the daemon records. They need read access to the store's file; \
      for the package's store use sudo. docs/store.md describes the checks, and how to put a copy back.
      """,
    subcommands: [Check.self, Backup.self, Compact.self, Recover.self])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Checks the store for damage.",
      discussion: """
        Reads everything and changes nothing: SQLite's own check, every grid, the totals of sessions \
        and days, and the sums of days and months, recomputed if possible. Prints a line for each check, with its faults below. \
        Exit status 1 if anything is damaged.

        --json prints {"store", "sound", "checks": [{"name", "lookedAt", "faultCount", \
        "faults"}]}, with the first 20 faults of each check.
        """)

    @OptionGroup var file: StoreFileOption

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
      let path = try file.path()
      let results = try StoreMaintenance.results(path, isDaemons: file.store == nil)
      let isSound = results.allSatisfy { $0.faultCount == 0 }
      if json {
        try writeJSON(StoreCheckReply(store: path, sound: isSound, checks: results))
      } else {
        try writeLines(
          StoreCheckLines.lines(
            results, path: path, isDaemons: file.store == nil, width: Terminal.width,
            colours: Terminal.hasColours), areColoured: Terminal.hasColours)
      }
      if !isSound { throw ExitCode.failure }
    }
  }

  private static func results(_ path: String, isDaemons: Bool) throws -> [CheckResult] {
    do throws(StoreError) {
      let store = try Store(reading: path)
      let progress = MaintenanceTicker("store check")
      return try store.check { progress.follow($0) }
    } catch {
      guard error.code == .damaged else { throw error }
      // The store is so damaged that it cannot be opened.
      let advice = StoreCheckLines.advice(path, isDaemons: isDaemons)
      throw Failure("\(error.fact)\n" + advice.joined(separator: "\n"))
    }
  }

  struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Copies the store while the daemon records.",
      discussion: """
        FILE is written completely or not at all. It has the state of the store at the start of \
        the copy, and is read back once; 'touchgrid store check --store FILE' checks every count \
        in it. Only the user who runs this command can read FILE. If root writes in another user's \
        folder, FILE belongs to that user. If the command is killed, a hidden folder .touchgrid-* \
        remains beside FILE: delete it. --force only replaces a store or an empty file.

        Root reads the store as its owner. If that user may not write FILE, the copy is made beside the \
        store first, or in the folder $TMPDIR if that is set.
        """)

    @OptionGroup var file: StoreFileOption

    @Argument(help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
    var target: String

    @Flag(help: "Replace FILE if it is a store or an empty file.")
    var force = false

    func run() throws {
      let path = try file.path(writing: target)
      let store = try Store(reading: path)
      let new = try NewStoreFile(target, replaces: force, from: path)
      do throws(StoreError) { try Self.copy(store, to: new.temporary) } catch {
        var reported = error
        // An error of the copy contains a temporary path that the user does not know. If the copy
        // is damaged, name the store, which must be damaged, too; otherwise name the target.
        if reported.path == new.temporary { reported.path = error.code == .damaged ? path : target }
        throw reported
      }
      try new.finish()
      try writeLines(["copied \(path.printable(limit: 4096)) to \(target.printable(limit: 4096))"])
    }

    private static func copy(_ store: Store, to path: String) throws(StoreError) {
      let progress = MaintenanceTicker("store backup")
      try store.backUp(to: path) { progress.follow($0) }
    }
  }
}
