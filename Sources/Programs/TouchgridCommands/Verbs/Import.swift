import ArgumentParser
import LinuxIO
import Storage
import Text
import TouchModel

struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes a store from the objects of a fleet.",
    discussion: """
      Reads the objects in DIR, such as those that 'touchgrid export --fleet' and 'touchgrid-fleet \
      sum' write, adds up all kiosks and generations, and writes a new store. Of each day of a \
      kiosk and generation it takes the highest revision. Every verb that reads a store works on \
      the result: 'touchgrid report --store FILE'. It has the sums of days, but no single sessions. \
      Touchscreens of several kiosks get the names of their kiosks.

      If an object is damaged, nothing is written, and the errors name the object. If the command is \
      killed, a hidden folder .touchgrid-* remains beside FILE: delete it.
      """)

  @Argument(
    help: ArgumentHelp("The folder that contains the folder 'in'.", valueName: "dir"),
    completion: .directory)
  var folder: String

  @Option(
    name: [.short, .long], help: ArgumentHelp("The store to write.", valueName: "file"),
    completion: .file())
  var output: String

  @Flag(help: "Replace FILE if it is a store or an empty file.")
  var force = false

  /// The number of faults that are printed.
  private static let faultLimit = 20

  func run() throws {
    // Root reads as the owner of the folder `in`.
    let top = folder + "/" + ObjectName.top
    try ProcessIdentity.becomeOwner(ofStore: top + "/kiosk", writing: output)
    let objects = try ObjectFolder(folder)
    guard !objects.days.isEmpty || !objects.unrecognised.isEmpty else {
      throw Failure("\(top.printable(limit: 4096)) has no objects of a fleet")
    }
    var faults = objects.unrecognised.map {
      "\($0.printable(limit: 4096)) is refused: its name is not that of an object"
    }
    let new = try NewStoreFile(output, replaces: force, from: top)
    let count = try write(objects, to: new.temporary, &faults)
    guard faults.isEmpty else {
      let more = faults.count - Self.faultLimit
      throw Failure(
        (faults.prefix(Self.faultLimit) + (more > 0 ? ["and \(more) more"] : [])
          + ["nothing was written; remove these objects, or get them again"])
          .joined(separator: "\n"))
    }
    try new.finish()
    try writeLines([
      "\(counted(count, "object")) of \(counted(objects.days.count, "day")) written to "
        + output.printable(limit: 4096)
    ])
  }

  /// - Returns: the number of objects.
  private func write(
    _ objects: ObjectFolder, to path: String, _ faults: inout [String]
  ) throws -> Int {
    let progress = Progress("import")
    progress.begin(objects.days.count, "days")
    let store = try Store(path: path)
    let kiosks = Set(objects.days.values.joined().map(\.kiosk))
    var count = 0
    for (day, names) in objects.days.sorted(by: { $0.key < $1.key }) {
      var contents: [(content: DayContent, kiosk: String?)] = []
      for name in names {
        do {
          let content = try objects.read(name).content
          contents.append((content, kiosks.count > 1 ? name.kiosk : nil))
          count += 1
        } catch {
          let reason = (error as? StoreError)?.message ?? "\(error)"
          faults.append("\(name.path) is refused: \(reason.printable(limit: 1000))")
        }
      }
      if faults.isEmpty { try write(contents, of: day, to: store) }
      progress.advance()
    }
    if faults.isEmpty { try store.finishImport(today: Day(local: .now)) }
    return count
  }

  private func write(
    _ contents: [(content: DayContent, kiosk: String?)], of day: Day, to store: Store
  ) throws {
    var sum = ImportedDay(day)
    do throws(StoreError) {
      for (content, kiosk) in contents { try sum.add(content, of: kiosk) }
      try store.write(sum)
    } catch {
      guard error.code == .overflow || error.code == .refused else { throw error }
      throw Failure(
        "\(day): the sum of all objects is too large for a store; nothing was written. Leave out the "
          + "kiosk whose numbers are wrong")
    }
  }
}
