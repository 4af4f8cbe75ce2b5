internal import CLinux
internal import Glibc

/// A file that is there whole or not at all. It has no name while it is written (`O_TMPFILE`), so that whatever
/// ends the process, a power cut included, leaves nothing of it. Where the file system knows no such files, it is
/// a temporary beside the file, which goes with the process unless that is killed outright.
public struct FileReplacement: ~Copyable {
  private let file: FileDescriptor
  private let path: String
  /// What the file is called until it has its name; nil where it has no name at all.
  private var temporary: String?

  /// - Parameter path: of a file to be made or replaced. A symbolic link is replaced itself.
  /// - Throws: where nothing can be written in its folder.
  public init(of path: String) throws(SystemError) {
    let folder = Folder.of(path)
    let nameless =
      unsafe access("/proc/self/fd", X_OK) == 0 ? unsafe touchgrid_file_nameless(folder) : -1
    if nameless >= 0 {
      file = FileDescriptor(owning: nameless)
    } else {
      let temporary = Self.temporary(in: folder)
      file = try Unfinished.holdingSignals { () throws(SystemError) in
        try Unfinished.add(temporary)
        let number = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        if number < 0 { Unfinished.remove(temporary) }
        guard number >= 0 else { throw SystemError(context: "making a file in \(folder)") }
        return FileDescriptor(owning: number)
      }
      self.temporary = temporary
    }
    self.path = path
  }

  /// Where its bytes are written to.
  public var descriptor: Int32 { file.number }

  /// Takes over who may do what with the file that is replaced, as far as the kernel lets us.
  public func takeOver(mode: UInt32, user: UInt32, group: UInt32) {
    // In this order: chown takes set-user-id bits away, and we take none over.
    _ = fchown(file.number, user, group)
    _ = fchmod(file.number, mode & 0o777)
  }

  /// Gives it its name, when all its bytes are on the disk.
  /// - Parameter replaces: whether it takes the place of a file of that name.
  /// - Throws: `EEXIST` where there is one that it may not replace.
  public mutating func finish(replaces: Bool = true) throws(SystemError) {
    guard fsync(file.number) == 0 else { throw SystemError(context: "writing") }
    let (path, number) = (path, file.number)
    var temporary = temporary
    defer { self.temporary = temporary }
    try Unfinished.holdingSignals { () throws(SystemError) in
      if temporary == nil {
        // Only a name that is free can be given; one that is taken is taken over from a temporary.
        if unsafe touchgrid_file_link(number, path) == 0 { return }
        guard errno == EEXIST, replaces else { throw SystemError(context: "naming") }
        let name = Self.temporary(in: Folder.of(path))
        guard unsafe touchgrid_file_link(number, name) == 0 else {
          throw SystemError(context: "naming")
        }
        temporary = name
      }
      guard let name = temporary else { return }
      try Folder.move(name, to: path, replaces: replaces)
      Unfinished.remove(name)
      temporary = nil
    }
  }

  deinit {
    guard let temporary else { return }
    unsafe unlink(temporary)
    Unfinished.remove(temporary)
  }

  /// A name that nobody else has, short enough for every file system.
  private static func temporary(in folder: String) -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 36)
    return (folder == "/" ? "" : folder) + "/.touchgrid-" + digits
  }
}
