import Glibc
import LinuxIO
import Text
import TouchModel

/// The folder of an export for a fleet: `state.json`, and the objects below `in`. It has only the
/// highest revision of each day.
struct FleetFolder: ~Copyable {
  static let marker = ".touchgrid-fleet"
  private static let state = "state.json"
  private static let stateLimit = 64 << 20

  private let path: String
  private let lock: FileLock

  private var name: String { path.printable(limit: 4096) }

  /// Opens the folder. It is created if it does not exist. Root becomes its owner.
  init(_ path: String) throws(Failure) {
    try ProcessIdentity.becomeOwner(ofOutput: path)
    if unsafe mkdir(path, 0o777) != 0, errno != EEXIST {
      throw Failure(
        "the folder \(path.printable(limit: 4096)) cannot be created: \(errorText(errno))")
    }
    try ProcessIdentity.becomeOwner(ofFolder: path)
    let names = try listing(path)
    guard names.isEmpty || names.contains(Self.marker) else {
      throw Failure(
        "\(path.printable(limit: 4096)) is not the folder of an export for a fleet: it contains "
          + "\(names[0].printable()); name a new folder")
    }
    lock = try lockExport(path, Self.marker)
    self.path = path
  }

  // MARK: The state

  /// - Returns: nil if there is none yet.
  /// - Throws: an error if it is missing although there are objects, or if it is damaged.
  func state() throws(Failure) -> FleetState? {
    let names = try listing(path)
    guard names.contains(Self.state) else {
      guard !names.contains(ObjectName.top) else {
        throw Failure(
          "\(name) has objects, but \(Self.state) is missing: it says what the fleet has, and without it "
            + "days would count twice. Start again with a new folder and a new name of the kiosk")
      }
      return nil
    }
    do {
      return try FleetState(OpenFolder(path).contents(Self.state, limit: Self.stateLimit))
    } catch {
      throw Failure(
        "\((path + "/" + Self.state).printable(limit: 4096)) cannot be read: \(error). Start again with a new "
          + "folder and a new name of the kiosk")
    }
  }

  func write(_ state: FleetState) throws(Failure) {
    try write(try state.encoded(), to: Self.state, in: path)
  }

  // MARK: Objects

  /// Completes an export that was killed: adds unknown objects to the state, so that they are
  /// written again, and removes lower revisions.
  func reconcile(_ state: inout FleetState) throws(Failure) {
    guard try listing(path).contains(ObjectName.top) else { return }
    let known = state.generations.enumerated().map { ($1.name, $0) }
    let indices = Dictionary(known, uniquingKeysWith: { first, _ in first })
    for name in try ObjectFolder(path).days.values.joined() {
      guard name.kiosk == state.kiosk, let index = indices[name.generation] else {
        throw Failure(
          "\(self.name) has an object that \(Self.state) does not know, \(name.path): an older copy of "
            + "\(Self.state) was put back. Start again with a new folder and a new name of the kiosk"
        )
      }
      if name.revision > state.generations[index].days[name.day]?.revision ?? 0 {
        state.generations[index].days[name.day] = FleetState.Written(
          revision: name.revision, digest: "")
      }
      try removeRevisions(below: name)
    }
  }

  func write(_ object: [UInt8], named name: ObjectName) throws(Failure) {
    var folder = path
    for part in name.folder.split(separator: "/") {
      folder += "/" + part
      try Self.make(folder)
    }
    try write(object, to: name.file, in: folder)
  }

  /// Removes the lower revisions of a day.
  func removeRevisions(below name: ObjectName) throws(Failure) {
    let folder = path + "/" + name.folder
    let files = try listing(folder)
    guard files.count > 1 else { return }
    for file in files {
      guard let revision = ObjectName.revision(of: file), revision < name.revision else { continue }
      guard unsafe unlink(folder + "/" + file) == 0 else {
        throw Failure(
          "\((folder + "/" + file).printable(limit: 4096)) cannot be removed: \(errorText(errno))")
      }
    }
    try failing { () throws(SystemError) in try Folder.flush(folder) }
  }

  private func write(_ bytes: [UInt8], to file: String, in folder: String) throws(Failure) {
    let path = folder + "/" + file
    let name = path.printable(limit: 4096)
    var new = try beside(name) { () throws(SystemError) in try FileReplacement(of: path) }
    try TouchgridCommands.write(bytes, to: new.descriptor, name: name)
    do throws(SystemError) {
      try new.finish()
      try Folder.flush(folder)
    } catch {
      throw Failure("\(name) cannot be written: \(errorText(error.code))")
    }
  }

  private static func make(_ path: String) throws(Failure) {
    let name = path.printable(limit: 4096)
    if unsafe mkdir(path, 0o777) == 0 {
      return try failing { () throws(SystemError) in try Folder.flush(Folder.of(path)) }
    }
    guard errno == EEXIST else {
      throw Failure("the folder \(name) cannot be created: \(errorText(errno))")
    }
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw Failure("\(name) is not a folder; move it away")
    }
    // The owner of the folder could replace its contents by links at any moment.
    guard !Privileges.isRoot || status.st_uid == 0 else {
      throw Failure(
        "\(name) belongs to another user, so root does not write in it; run this command as that user"
      )
    }
  }
}
