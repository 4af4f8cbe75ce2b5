import Glibc
import LinuxIO
import Text
import TouchModel

/// The folder of an export for a fleet: `state.json`, and the objects below `in`. It always has the
/// highest revision of each day, and no other.
struct FleetFolder: ~Copyable {
  static let marker = ".touchgrid-fleet"
  private static let state = "state.json"
  private static let stateLimit = 64 << 20

  private let path: String
  private let lock: FileLock

  private var name: String { path.printable(limit: 4096) }

  /// Opens the folder. It is created if it does not exist.
  init(_ path: String) throws(Failure) {
    try Self.make(path)
    let names = try Self.names(path)
    guard names.isEmpty || names.contains(Self.marker) else {
      throw Failure(
        "\(path.printable(limit: 4096)) is not the folder of an export for a fleet: it contains "
          + "\(names[0].printable()); name a new folder")
    }
    do throws(SystemError) {
      lock = try FileLock(path + "/" + Self.marker, followsLink: false)
    } catch {
      throw Failure(
        error.code == EWOULDBLOCK
          ? "another export writes to \(path.printable(limit: 4096)); wait until it is done"
          : "\(error)")
    }
    self.path = path
  }

  // MARK: The state

  /// - Returns: nil if there is none yet.
  func state() throws(Failure) -> FleetState? {
    let file = path + "/" + Self.state
    guard unsafe access(file, F_OK) == 0 || errno != ENOENT else { return nil }
    let bytes = try readFile(file, limit: Self.stateLimit)
    do throws(Failure) {
      return try FleetState(bytes)
    } catch {
      throw Failure(
        "\(file.printable(limit: 4096)) is damaged: \(error); put back a copy of it, or start again with "
          + "a new folder and a new name of the kiosk")
    }
  }

  func write(_ state: FleetState) throws(Failure) {
    try write(try state.encoded(), to: Self.state, in: path)
  }

  // MARK: Objects

  /// Returns the highest revision in the folder of a day; 0 if there is none. It may be higher than
  /// the known one, if an export was killed.
  func highestRevision(_ name: ObjectName) throws(Failure) -> Int64 {
    let folder = path + "/" + name.folder
    guard unsafe access(folder, F_OK) == 0 else { return 0 }
    return try Self.names(folder).compactMap { ObjectName.revision(of: $0) }.max() ?? 0
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
    for file in try Self.names(folder) {
      guard let revision = ObjectName.revision(of: file), revision < name.revision else { continue }
      guard unsafe unlink(folder + "/" + file) == 0 else {
        throw Failure(
          "\((folder + "/" + file).printable(limit: 4096)) cannot be removed: \(errorText(errno))")
      }
    }
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
      do throws(SystemError) { try Folder.flush(Folder.of(path)) } catch {
        throw Failure("\(error)")
      }
      return
    }
    guard errno == EEXIST else {
      throw Failure("the folder \(name) cannot be created: \(errorText(errno))")
    }
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw Failure("\(name) is not a folder; move it away")
    }
  }

  private static func names(_ path: String) throws(Failure) -> [String] {
    do throws(SystemError) {
      return try Folder.names(path)
    } catch {
      throw Failure("\(path.printable(limit: 4096)) cannot be listed: \(errorText(error.code))")
    }
  }
}
