import ArgumentParser
import GridFormats
import Storage
import TouchModel

/// The verbs `touchgrid store check|compact|backup|recover`.
struct StoreCare: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Checks, copies, compacts and recovers the store.",
    discussion: """
      check and backup may run while the daemon records. They take whoever may read the store's file, \
      and of the package's that is root and the user touchgrid: use sudo. docs/store.md tells what must hold in a \
      store, and how a copy is put back.
      """,
    subcommands: [Check.self, Backup.self, Compact.self, Recover.self])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Looks whether the store is sound.",
      discussion: """
        Reads everything and changes nothing: SQLite's own check, every grid, the books of sessions \
        and days, and the sums of days and months, made anew where that is possible. One line a \
        check. Exit status 1 where something is damaged.

        --json prints {"store", "sound", "checks": [{"name", "looked_at", "fault_count", \
        "faults"}]}; of each check the first 20 faults.
        """)

    @OptionGroup var file: StoreFileOption

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
      let path = try file.path()
      let results = try StoreCare.results(path, isDaemons: file.store == nil)
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
      let progress = CareTicker("store check")
      return try store.check { progress.follow($0) }
    } catch {
      guard error.code == .damaged else { throw error }
      // The store is damaged so badly that it cannot be opened.
      let advice = StoreCheckLines.advice(path, isDaemons: isDaemons)
      throw Failure("\(error.fact)\n" + advice.joined(separator: "\n"))
    }
  }

  struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Copies the store while the daemon records.",
      discussion: """
        FILE is there whole or not at all, holds the store as it was when the copy began, and was \
        read back once; 'touchgrid store check --store FILE' looks at every count in it. It belongs to \
        the user who makes it, who alone may read it; to the folder's owner where root makes it in the \
        folder of another user. A copy that is killed leaves a hidden folder beside FILE, .touchgrid- and \
        letters: delete it. Only a store is replaced, also with --force.

        Root reads the store as the user whose it is. Where that user may not write FILE, the copy is \
        made beside the store first, or in the folder that TMPDIR names.
        """)

    @OptionGroup var file: StoreFileOption

    @Argument(help: ArgumentHelp("Where to.", valueName: "file"), completion: .file())
    var target: String

    @Flag(help: "Replace the store of that name if it is there.")
    var force = false

    func run() throws {
      let path = try file.path(writing: target)
      let store = try Store(reading: path)
      let new = try NewStoreFile(target, replaces: force, from: path)
      do throws(StoreError) { try Self.copy(store, to: new.temporary) } catch {
        var told = error
        // The copy has no final name yet. If it is damaged, the store is.
        if told.path == new.temporary { told.path = error.code == .damaged ? path : target }
        throw told
      }
      try new.finish()
      try writeLines(["copied \(path.printable(limit: 4096)) to \(target.printable(limit: 4096))"])
    }

    private static func copy(_ store: Store, to path: String) throws(StoreError) {
      let progress = CareTicker("store backup")
      try store.backUp(to: path) { progress.follow($0) }
    }
  }
}
