import Glibc
import GridFormats
import LinuxIO
import Storage
import TouchModel

/// The folder that exports are written to: `day=YYYY-MM-DD` in it, each replaced as a whole. What no export wrote
/// is never touched.
struct ExportFolder: ~Copyable {
  /// Its presence says that the folder is ours; locked while one export writes.
  static let marker = ".touchgrid-export"
  /// The day that is being written, or an old one on its way out.
  static let new = ".touchgrid-new"
  /// Where file systems cannot exchange folders: the old day, for a moment.
  static let aside = ".touchgrid-old-"

  let path: String
  private let lock: FileLock

  /// Makes the folder where there is none, and clears away what an export left that was killed.
  init(_ path: String) throws(Failure) {
    let name = path.printable(limit: 4096)
    let isNew = unsafe mkdir(path, 0o777) == 0
    guard isNew || errno == EEXIST else {
      throw Failure("the folder \(name) cannot be made: \(errorText(errno))")
    }
    let names = try listing(path)
    guard names.isEmpty || names.contains(Self.marker) else {
      throw Failure(
        "\(name) holds other things than an export (\(names[0].printable())); name a new folder")
    }
    let lock = try Self.lock(path)
    for name in names where name.hasPrefix(Self.aside) {
      let day = String(name.dropFirst(Self.aside.count))
      // Between two names when its export was killed: back to the first, if nothing new is there.
      if unsafe rename(path + "/" + name, path + "/" + day) != 0 { try clear(path + "/" + name) }
    }
    if names.contains(Self.new) { try clear(path + "/" + Self.new) }
    self.path = path
    self.lock = lock
  }

  private static func lock(_ path: String) throws(Failure) -> FileLock {
    do throws(SystemError) {
      return try FileLock(path + "/" + marker, followsLink: false)
    } catch {
      throw Failure(
        error.code == EWOULDBLOCK
          ? "another export writes to \(path.printable(limit: 4096)); wait until it is done"
          : "\(error)")
    }
  }

  /// The days that are there.
  /// - Throws: where one of `days` holds what no export wrote.
  func present(_ isWanted: (Day) -> Bool) throws(Failure) -> [Day] {
    var days: [Day] = []
    for name in try listing(path) where name.hasPrefix("day=") {
      guard let day = Day(String(name.dropFirst(4))), isWanted(day) else { continue }
      try check(path + "/" + name)
      days.append(day)
    }
    return days
  }

  /// Replaces a day by what `write` writes. Where that is what is there, that stays, and is as old as it was.
  func replace(_ day: Day, _ write: (DayFolder) throws -> Void) throws {
    let (new, old) = (path + "/" + Self.new, path + "/day=" + day.text)
    let names = DayFolder.names
    for item in [new] + names.map({ new + "/" + $0 }) { try noted(item) }
    defer { for item in [new] + names.map({ new + "/" + $0 }) { Unfinished.remove(item) } }
    do {
      guard unsafe mkdir(new, 0o777) == 0 else {
        throw Failure("\(new.printable(limit: 4096)) cannot be made: \(errorText(errno))")
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

  /// Removes a day.
  func remove(_ day: Day) throws(Failure) {
    let (old, new) = (path + "/day=" + day.text, path + "/" + Self.new)
    try check(old)
    // Gone at once, whatever happens next.
    guard unsafe rename(old, new) == 0 else {
      throw Failure("\(old.printable(limit: 4096)) cannot be removed: \(errorText(errno))")
    }
    try clear(new)
  }

  private func noted(_ path: String) throws(Failure) {
    do throws(SystemError) { try Unfinished.add(path) } catch { throw Failure("\(error)") }
  }
}

private func listing(_ path: String) throws(Failure) -> [String] {
  do throws(SystemError) {
    return try Folder.names(path)
  } catch {
    throw Failure("\(path.printable(limit: 4096)) cannot be listed: \(errorText(error.code))")
  }
}

/// - Throws: where it is no folder, or holds other files than those of an export.
private func check(_ folder: String) throws(Failure) {
  let name = folder.printable(limit: 4096)
  var status = stat()
  guard unsafe lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
    throw Failure("\(name) is no folder; move it away")
  }
  for file in try listing(folder) where !DayFolder.names.contains(file) {
    throw Failure("\(name) holds \(file.printable()), which no export wrote; move it away")
  }
}

private func clear(_ folder: String) throws(Failure) {
  try check(folder)
  for file in try listing(folder) { unsafe unlink(folder + "/" + file) }
  guard unsafe rmdir(folder) == 0 else {
    throw Failure("\(folder.printable(limit: 4096)) cannot be removed: \(errorText(errno))")
  }
}
