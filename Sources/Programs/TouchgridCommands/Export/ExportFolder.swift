import Glibc
import Heatmaps
import LinuxIO
import Storage
import Text
import TouchModel

/// The folder of an export. It has a subfolder `day=YYYY-MM-DD` for each day, which is always
/// replaced as a whole. It never changes files that are not from an export.
struct ExportFolder: ~Copyable {
  /// A file that marks the folder as that of an export. It is locked while an export writes.
  static let marker = ".touchgrid-export"
  /// The name of the subfolder for a day while it is written, and for an old one while it is
  /// removed.
  static let new = ".touchgrid-new"
  /// The prefix of the name that the old folder of a day has for a moment while it is replaced, on
  /// file systems that cannot exchange two folders atomically.
  static let aside = ".touchgrid-old-"

  let path: String
  private let lock: FileLock

  /// Opens the folder. It is created if it does not exist. Leftovers of an export that was killed
  /// are removed.
  init(_ path: String) throws(Failure) {
    let name = path.printable(limit: 4096)
    let isNew = unsafe mkdir(path, 0o777) == 0
    guard isNew || errno == EEXIST else {
      throw Failure("the folder \(name) cannot be created: \(errorText(errno))")
    }
    let names = try listing(path)
    guard names.isEmpty || names.contains(Self.marker) else {
      throw Failure(
        "\(name) is not an export folder: it contains \(names[0].printable()); name a new folder")
    }
    let lock = try lockExport(path, Self.marker)
    for name in names where name.hasPrefix(Self.aside) {
      let day = String(name.dropFirst(Self.aside.count))
      // An export was killed between two renames. Rename the old folder back, unless the new folder
      // is already there.
      if unsafe rename(path + "/" + name, path + "/" + day) != 0 { try clear(path + "/" + name) }
    }
    if names.contains(Self.new) { try clear(path + "/" + Self.new) }
    self.path = path
    self.lock = lock
  }

  /// Returns the days that have a subfolder and that `isWanted` accepts.
  /// - Throws: an error if a subfolder has files that are not from an export.
  func present(_ isWanted: (Day) -> Bool) throws(Failure) -> [Day] {
    var days: [Day] = []
    for name in try listing(path) where name.hasPrefix("day=") {
      guard let day = Day(String(name.dropFirst(4))), isWanted(day) else { continue }
      try check(path + "/" + name)
      days.append(day)
    }
    return days
  }

  /// Replaces the subfolder of a day with the files that `write` writes. If their contents are the
  /// same as before, keeps the old files with their modification times.
  func replace(_ day: Day, _ write: (DayFolder) throws -> Void) throws {
    let (new, old) = (path + "/" + Self.new, path + "/day=" + day.text)
    let names = DayFolder.names
    for item in [new] + names.map({ new + "/" + $0 }) { try noted(item) }
    defer { for item in [new] + names.map({ new + "/" + $0 }) { UnfinishedFiles.remove(item) } }
    do {
      guard unsafe mkdir(new, 0o777) == 0 else {
        throw Failure("\(new.printable(limit: 4096)) cannot be created: \(errorText(errno))")
      }
      let folder = DayFolder(new)
      try write(folder)
      if try !folder.isSame(as: old) {
        try folder.finish()
        try put(new, at: old)
      }
    } catch {
      try? clear(new)
      throw error
    }
    if unsafe access(new, F_OK) == 0 { try clear(new) }
  }

  private func put(_ new: String, at old: String) throws(Failure) {
    do throws(SystemError) {
      var status = stat()
      if unsafe lstat(old, &status) == 0 {
        let name = old.split(separator: "/").last.map { String($0) } ?? ""
        try Folder.exchange(new, old, aside: path + "/" + Self.aside + name)
      } else if unsafe rename(new, old) != 0 {
        throw SystemError(context: "making \(old)")
      }
      try Folder.flush(path)
    } catch {
      throw Failure("\(error)")
    }
  }

  func remove(_ day: Day) throws(Failure) {
    let (old, new) = (path + "/day=" + day.text, path + "/" + Self.new)
    try check(old)
    // Rename the folder first, so that the day disappears in one step even if this program is
    // killed next.
    guard unsafe rename(old, new) == 0 else {
      throw Failure("\(old.printable(limit: 4096)) cannot be removed: \(errorText(errno))")
    }
    try clear(new)
  }

  private func noted(_ path: String) throws(Failure) {
    do throws(SystemError) { try UnfinishedFiles.add(path) } catch { throw Failure("\(error)") }
  }
}

/// Locks the file in the folder of an export that marks it.
func lockExport(_ path: String, _ marker: String) throws(Failure) -> FileLock {
  do throws(SystemError) {
    return try FileLock(path + "/" + marker, followsLink: false)
  } catch {
    throw Failure(
      error.code == EWOULDBLOCK
        ? "another export writes to \(path.printable(limit: 4096)); wait until it is done"
        : "\(error)")
  }
}

func listing(_ path: String) throws(Failure) -> [String] {
  do throws(SystemError) {
    return try Folder.names(path)
  } catch {
    throw Failure("\(path.printable(limit: 4096)) cannot be listed: \(errorText(error.code))")
  }
}

/// - Throws: an error if the path is not a folder, or has files that are not from an export.
private func check(_ folder: String) throws(Failure) {
  let name = folder.printable(limit: 4096)
  var status = stat()
  guard unsafe lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
    throw Failure("\(name) is not a folder; move it away")
  }
  for file in try listing(folder) where !DayFolder.names.contains(file) {
    throw Failure(
      "\(name) contains \(file.printable()), which is not from an export; move this file away")
  }
}

private func clear(_ folder: String) throws(Failure) {
  try check(folder)
  for file in try listing(folder) { unsafe unlink(folder + "/" + file) }
  guard unsafe rmdir(folder) == 0 else {
    throw Failure("\(folder.printable(limit: 4096)) cannot be removed: \(errorText(errno))")
  }
}
