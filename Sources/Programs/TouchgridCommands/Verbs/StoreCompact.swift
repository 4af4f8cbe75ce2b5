import ArgumentParser
import Storage
import Text
import TouchModel

extension StoreMaintenance {
  struct Compact: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Rewrites the store to its smallest size.",
      discussion: """
        Stop the daemon first. The daemon itself returns most unused space to the disk; this also \
        reclaims the space inside pages. The disk needs space for two copies. The owner and mode of the \
        file stay.
        """)

    @OptionGroup var file: StoreFileOption

    func run() throws {
      let path = try file.path()
      // SQLite must make its copy on the disk whose free space is checked, not in a /tmp that may
      // be in memory.
      Store.putTemporaryFiles(beside: path)
      let lock = try StoreLock(path)
      let plan = try Compacting.plan(path)
      if let free = DoctorRun.freeBytes(path), free < plan.needed {
        throw Failure(
          "compacting needs \(bytesText(plan.needed)) of free space on the disk of "
            + "\(path.printable(limit: 4096)), but only \(bytesText(free)) are free")
      }
      let now = try Progress.during("store compact") { try Compacting.run(path) }
      withExtendedLifetime(lock) {}
      let before = "\(plan.size) bytes (\(bytesText(plan.size)))"
      guard let now else {
        return try writeLines([
          "\(before) before; the file shrinks when no other program reads the store"
        ])
      }
      try writeLines(["\(before) before, \(now) bytes (\(bytesText(now))) now"])
    }
  }
}
