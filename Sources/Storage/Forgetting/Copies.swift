internal import LinuxIO

extension Store {
  /// The files beside a store that hold what it held once: set aside before a newer version, or as damaged, and what was
  /// recovered of these. Their logs go with them, and are named where they are alone. Backups lie elsewhere.
  public static func copies(of path: String) -> [String] {
    let store = resolved(path)
    let folder = Folder.of(store)
    let name = Folder.name(of: store)
    guard let names = try? Folder.names(folder) else { return [] }
    let copies = names.filter { $0.hasPrefix(name + ".v") || $0.hasPrefix(name + ".damaged-") }
    let logs = copies.filter { copy in
      ["-wal", "-shm", "-journal"].contains { ending in
        copy.hasSuffix(ending) && copies.contains(String(copy.dropLast(ending.count)))
      }
    }
    return copies.filter { !logs.contains($0) }.map { (folder == "/" ? "/" : folder + "/") + $0 }
  }
}
