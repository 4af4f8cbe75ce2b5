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

      With --check, objects are only read. With '-' in place of DIR, --check reads them from \
      standard input, as 'touchgrid-fleet' sends them: for each a line 'NAME SIZE' and its bytes. It \
      answers each with a line of JSON. The name 'release/KIND' and the subject of counts in place of \
      an object get what a release may show of them.
      """)

  @Argument(
    help: ArgumentHelp("The folder that contains the folder 'in'.", valueName: "dir"),
    completion: .directory)
  var folder: String

  @Option(
    name: [.short, .long], help: ArgumentHelp("The store to write.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Only say which objects would be refused, and why.")
  var check = false

  @Flag(help: "Replace FILE if it is a store or an empty file.")
  var force = false

  /// The maximum number of faults that are printed.
  private static let faultLimit = 20

  func validate() throws {
    guard check != (output != nil) else {
      throw ValidationError("name the store with -o, or use --check to write none")
    }
    guard check || folder != "-" else {
      throw ValidationError("only --check reads objects from standard input")
    }
  }

  func run() throws {
    if folder == "-" { return try ObjectStream.run() }
    // Root reads the objects as the owner of the folder `in`.
    let top = folder + "/" + ObjectName.top
    try ProcessIdentity.becomeOwner(ofStore: top + "/kiosk", writing: output)
    let objects = try ObjectFolder(folder)
    guard !objects.days.isEmpty || !objects.unrecognised.isEmpty else {
      throw Failure("\(top.printable(limit: 4096)) has no objects of a fleet")
    }
    var faults = objects.unrecognised.map {
      "\($0.printable(limit: 4096)) is refused: its name is not that of an object"
    }
    let count: Int
    if let output {
      let new = try NewStoreFile(output, replaces: force, from: top)
      count = try write(objects, to: new.temporary, &faults)
      try refuse(faults)
      try new.finish()
    } else {
      count = try write(objects, to: nil, &faults)
      try refuse(faults)
    }
    let what = "\(counted(count, "object")) of \(counted(objects.days.count, "day"))"
    try writeLines([
      output.map { "\(what) written to \($0.printable(limit: 4096))" } ?? "\(what), all valid"
    ])
  }

  /// - Throws: an error if there are faults.
  private func refuse(_ faults: [String]) throws {
    guard !faults.isEmpty else { return }
    let more = faults.count - Self.faultLimit
    throw Failure(
      (faults.prefix(Self.faultLimit) + (more > 0 ? ["and \(more) more"] : [])
        + [(check ? "" : "nothing was written; ") + "remove these objects, or get them again"])
        .joined(separator: "\n"))
  }

  /// - Parameter path: nil to write nothing.
  /// - Returns: the number of objects.
  private func write(
    _ objects: ObjectFolder, to path: String?, _ faults: inout [String]
  ) throws -> Int {
    let progress = Progress("import")
    progress.begin(objects.days.count, "days")
    let store = try path.map { try Store(path: $0) }
    let kiosks = Set(objects.days.values.joined().map(\.kiosk))
    var count = 0
    for (day, names) in objects.days.sorted(by: { $0.key < $1.key }) {
      var contents: [(content: DayContent, kiosk: String?)] = []
      for name in names {
        do {
          let content = try objects.read(name).content
          if store != nil { contents.append((content, kiosks.count > 1 ? name.kiosk : nil)) }
          count += 1
        } catch {
          let reason = (error as? StoreError)?.message ?? "\(error)"
          faults.append("\(name.path) is refused: \(reason.printable(limit: 1000))")
        }
      }
      if let store, faults.isEmpty { try write(contents, of: day, to: store) }
      progress.advance()
    }
    if faults.isEmpty { try store?.finishImport(today: Day(local: .now)) }
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
