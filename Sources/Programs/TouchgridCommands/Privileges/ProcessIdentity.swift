import Glibc
import LinuxIO
import Synchronization
import Text
import TouchModel

/// The user that this command runs as.
///
/// Root works on a store, or in a folder, as its owner. The owner can replace any name there with a
/// link, and root would then open, change or give away another file. Therefore root becomes the
/// owner before it opens anything, for the rest of the process. If the owner may not write the
/// output, a separate process writes it (`OutputProcess`).
enum ProcessIdentity {
  private struct State {
    /// The name of the user that root has become.
    var user: String?
    var output: OutputProcess?
  }

  private static let state = Mutex(State())

  /// The name of the user that root has become; nil if this process still runs as the user who
  /// started it.
  static var user: String? { state.withLock { $0.user } }

  /// Makes a process of root run as the owner of a store. Call it before anything of the store is
  /// opened. Does nothing for other users.
  /// - Parameters:
  ///   - path: the path of the store. A file there may be of any kind, or missing.
  ///   - output: the path of the file that will be written, if it is not part of the store.
  static func becomeOwner(
    ofStore path: String, writing output: String? = nil
  ) throws(Failure) {
    guard Privileges.isRoot else { return }
    let name = path.printable(limit: 4096)
    switch try control(of: path, isStrict: true) {
    case .rootAlone:
      if let output { try prepare(output, besides: nil) }
    case .user(let owner):
      if let output { try prepare(output, besides: owner) }
      // Maps of the standard store are drawn over pictures that only this group may read.
      try become(owner, with: path == StoredDataOptions.standardStore ? PictureFolder.group : nil)
    case .several(let users):
      let names = users.map { User.name(of: $0) }
      throw Failure(
        "the users \(names.joined(separator: " and ")) can replace \(name), so root does not open "
          + "it; run this as one of them: 'sudo -u \(names[0]) touchgrid …'")
    case .anybody:
      throw Failure(
        "root opens no store in a folder that other users can write in (\(name)); move the store "
          + "to a folder that only one user can write in")
    }
  }

  /// Makes a process of root run as the owner of a folder. Call it before anything is created
  /// there. Does nothing for other users.
  /// - Parameter path: the path of the file that will be created.
  static func becomeOwner(ofOutput path: String) throws(Failure) {
    guard Privileges.isRoot, let owner = try writer(of: path) else { return }
    try become(owner)
  }

  /// Makes a process of root run as the owner of a folder in which it will read and write several
  /// files by their names. Does nothing for other users.
  /// - Parameter output: the path of a file elsewhere that will be written.
  /// - Throws: an error if several users can write in the folder.
  static func becomeOwner(ofFolder path: String, writing output: String? = nil) throws(Failure) {
    guard Privileges.isRoot else { return }
    let control = try control(of: path + "/name", isStrict: true)
    switch control {
    case .rootAlone: return
    case .user(let owner):
      if let output { try prepare(output, besides: owner) }
      try become(owner)
    case .several, .anybody:
      throw Failure(
        "root does not use the folder \(path.printable(limit: 4096)): \(control.words ?? ""); choose a folder "
          + "that only one user can write in")
    }
  }

  /// Returns the user who must write a file for root; nil if root itself may.
  /// - Throws: an error if more than one other user can change the target of the path, or if it
  ///   cannot be followed.
  private static func writer(of path: String) throws(Failure) -> PathControl.Owner? {
    let control = try control(of: path, isStrict: false)
    if case .user(let owner) = control { return owner }
    guard let fault = control.words else { return nil }
    throw Failure(
      "root does not write \(path.printable(limit: 4096)): \(fault); choose a folder that only one user "
        + "can write in")
  }

  /// Returns whether this is root and another user must write the file.
  static func isForeign(_ path: String) throws(Failure) -> Bool {
    guard Privileges.isRoot else { return false }
    return try writer(of: path) != nil
  }

  /// Returns whether this process is root and another user can change the target of the path, or
  /// write in its folder. For root, also true if the path cannot be followed.
  static func isShared(_ path: String) -> Bool {
    guard Privileges.isRoot else { return false }
    return (try? PathControl(of: path, isStrict: true)) != .rootAlone
  }

  private static func control(
    of path: String, isStrict: Bool
  ) throws(Failure) -> PathControl {
    try failing { () throws(SystemError) in try PathControl(of: path, isStrict: isStrict) }
  }

  /// - Parameter group: the name of one more group for this process.
  static func become(_ owner: PathControl.Owner, with group: String? = nil) throws(Failure) {
    do throws(SystemError) { try Privileges.become(owner, with: group) } catch {
      throw Failure("\(error)")
    }
    state.withLock { $0.user = User.name(of: owner.user) }
  }

  // MARK: Outputs

  /// Starts the process that writes the output, unless this process may write it itself.
  /// - Parameter owner: the user that this process is about to become; nil for root.
  private static func prepare(
    _ output: String, besides owner: PathControl.Owner?
  ) throws(Failure) {
    let writer = try writer(of: output)
    guard writer != owner else { return }
    let process = try OutputProcess(for: output, as: writer)
    state.withLock { $0.output = process }
  }

  /// Returns the process that writes this file; nil if this process writes it itself.
  static func outputProcess(for path: String) throws(Failure) -> OutputProcess? {
    if let process = state.withLock({ $0.output }), process.accepts(path) { return process }
    guard Privileges.isRoot, try writer(of: path) != nil else { return nil }
    try prepare(path, besides: nil)
    return state.withLock { $0.output }
  }

  // MARK: Inputs

  /// The files that may be read.
  enum Trust: Equatable {
    case all
    /// Only regular files, so that nothing blocks. With a user id, only files of that user.
    case regularFiles(of: UInt32?)

    /// Additional flags for `open`.
    var flags: Int32 {
      switch self {
      case .all: 0
      // Do not follow links: another user could put a link to one of root's files here, and
      // `allows` would accept that file.
      case .regularFiles(of: 0): O_NONBLOCK | O_NOFOLLOW
      case .regularFiles: O_NONBLOCK
      }
    }

    func allows(_ descriptor: Int32) -> Bool {
      guard case .regularFiles(let user) = self else { return true }
      var status = stat()
      return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        && user ?? status.st_uid == status.st_uid
    }
  }

  /// Returns which files this process may read at a path. If another user can change the path, root
  /// may read only that user's own files, because a link could lead to the files of a third user.
  /// In a folder that other users can write in, root may read only its own files.
  static func trust(_ path: String) throws(Failure) -> Trust {
    guard Privileges.isRoot else { return user == nil ? .all : .regularFiles(of: nil) }
    if let owner = try writer(of: path) { return .regularFiles(of: owner.user) }
    return isShared(path) ? .regularFiles(of: 0) : .all
  }
}
