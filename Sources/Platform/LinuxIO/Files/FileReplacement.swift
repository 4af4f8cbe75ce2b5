internal import CLinux
internal import Glibc

/// A file that appears complete or not at all. It has no name while it is written (`O_TMPFILE`), so
/// nothing remains of it if the process ends early, even by a power cut. If the file system does
/// not support nameless files, it is a temporary file in the same folder. That file is removed when
/// a signal ends the process (see `UnfinishedFiles`), but remains after SIGKILL, a crash or a power
/// cut.
public struct FileReplacement: ~Copyable {
  private let file: FileDescriptor
  private let path: String
  /// The temporary name; nil if the file has no name yet, or its final one.
  private var temporary: String?

  /// - Parameter path: the path of the file to create or replace. A symbolic link is replaced, not
  ///   followed.
  /// - Throws: an error if no file can be created in its folder.
  public init(of path: String) throws(SystemError) {
    let folder = Folder.of(path)
    let nameless =
      unsafe access("/proc/self/fd", X_OK) == 0 ? unsafe touchgrid_file_nameless(folder) : -1
    if nameless >= 0 {
      self.init(FileDescriptor(owning: nameless), at: nil, for: path)
    } else {
      let name = Self.temporary(in: folder)
      self.init(try Self.create(name, in: folder), at: name, for: path)
    }
  }

  private init(_ file: consuming FileDescriptor, at temporary: String?, for path: String) {
    self.file = file
    self.temporary = temporary
    self.path = path
  }

  /// Creates a file that is removed if a signal ends the process.
  private static func create(
    _ name: String, in folder: String
  ) throws(SystemError) -> FileDescriptor {
    try UnfinishedFiles.holdingSignals { () throws(SystemError) in
      try UnfinishedFiles.add(name)
      let number = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if number < 0 { UnfinishedFiles.remove(name) }
      return try FileDescriptor(number, "creating a file in \(folder)")
    }
  }

  /// The descriptor to write the content to.
  public var descriptor: Int32 { file.number }

  /// Gives this file the mode, user and group of the file that it replaces, as far as the kernel
  /// allows.
  public func takeOver(mode: UInt32, user: UInt32, group: UInt32) {
    // Call chown first, because it may clear mode bits. Never copy set-user-ID bits.
    _ = fchown(file.number, user, group)
    _ = fchmod(file.number, mode & 0o777)
  }

  /// Flushes the file to the disk, and gives it its name.
  /// - Parameter replaces: whether it may replace a file of that name.
  /// - Throws: `EEXIST` if there is such a file and it must not be replaced.
  public mutating func finish(replaces: Bool = true) throws(SystemError) {
    guard fsync(file.number) == 0 else { throw SystemError(context: "writing \(path)") }
    let (path, number) = (path, file.number)
    var temporary = temporary
    defer { self.temporary = temporary }
    try UnfinishedFiles.holdingSignals { () throws(SystemError) in
      if temporary == nil {
        // A link cannot replace an existing file. If the name is taken, the file gets a temporary
        // name and is then renamed.
        if unsafe touchgrid_file_link(number, path) == 0 { return }
        guard errno == EEXIST, replaces else { throw SystemError(context: "creating \(path)") }
        let name = Self.temporary(in: Folder.of(path))
        guard unsafe touchgrid_file_link(number, name) == 0 else {
          throw SystemError(context: "creating \(path)")
        }
        temporary = name
      }
      guard let name = temporary else { return }
      try Folder.move(name, to: path, replaces: replaces)
      UnfinishedFiles.remove(name)
      temporary = nil
    }
  }

  deinit {
    guard let temporary else { return }
    unsafe unlink(temporary)
    UnfinishedFiles.remove(temporary)
  }

  /// Returns the path of a new file in the folder. Its random name is short enough for every file
  /// system.
  private static func temporary(in folder: String) -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 36)
    return (folder == "/" ? "" : folder) + "/.touchgrid-" + digits
  }
}
