internal import LinuxIO

extension Store {
  /// Returns the paths of the files beside a store that contain earlier data of it: damaged stores
  /// that were moved aside, and stores recovered from these. A `-wal`, `-shm` or `-journal` file is
  /// listed only if its database is missing. Backups are not listed, because they may be anywhere.
  public static func copies(of path: String) -> [String] {
    let store = resolved(path)
    let folder = Folder.of(store)
    let name = Folder.name(of: store)
    guard let names = try? Folder.names(folder) else { return [] }
    let copies = names.filter { $0.hasPrefix(name + ".damaged-") }
    let logs = copies.filter { copy in
      ["-wal", "-shm", "-journal"].contains { ending in
        copy.hasSuffix(ending) && copies.contains(String(copy.dropLast(ending.count)))
      }
    }
    return copies.filter { !logs.contains($0) }.map { (folder == "/" ? "/" : folder + "/") + $0 }
  }
}
