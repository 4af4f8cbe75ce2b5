import Glibc
import LinuxIO
import Synchronization
import TouchModel

/// As whom this command works.
///
/// Root works on a store, and in a folder, as the user whose it is. That user could put links in the place of any name
/// there, and what root opened, changed or gave away by such a name would be another file. So root becomes that user
/// before it opens anything, and for good. What root wants written where that user may not write is written by a
/// process of its own (`OutputProcess`).
enum Acting {
  private struct State {
    /// Whom root has become.
    var user: String?
    var output: OutputProcess?
  }

  private static let state = Mutex(State())

  /// The user whom root has become; nil where this process is still who started it.
  static var user: String? { state.withLock { $0.user } }

  /// To be called before anything of a store is opened.
  /// - Parameters:
  ///   - path: of the store. A file of any kind, or nothing, may be there.
  ///   - output: what will be written, where it is not part of the store.
  static func asOwner(
    ofStore path: String, writing output: String? = nil
  ) throws(Failure) {
    guard Privileges.isRoot else { return }
    let name = path.printable(limit: 4096)
    switch try control(of: path, isStrict: true) {
    case .rootAlone:
      if let output { try prepare(output, besides: nil) }
    case .user(let owner):
      if let output { try prepare(output, besides: owner) }
      try become(owner)
    case .several(let users):
      let names = users.map { User.name(of: $0) }
      throw Failure(
        "the users \(names.joined(separator: " and ")) can both change what \(name) leads to, and root "
          + "follows it for neither; do this as one of them: sudo -u \(names[0])")
    case .anybody:
      throw Failure(
        "other users may write in the folder of \(name), and root opens no store there; move it to a "
          + "folder that only one user may write in")
    }
  }

  /// To be called before anything is made in a folder.
  /// - Parameter path: of what will be made in it.
  static func asOwner(ofOutput path: String) throws(Failure) {
    guard Privileges.isRoot, let owner = try writer(of: path) else { return }
    try become(owner)
  }

  /// Who is to write a file for root; nil where root itself is.
  private static func writer(of path: String) throws(Failure) -> PathControl.Owner? {
    let control = try control(of: path, isStrict: false)
    if case .user(let owner) = control { return owner }
    guard let fault = control.words else { return nil }
    throw Failure(
      "\(path.printable(limit: 4096)) is not written by root: \(fault); name a file in a folder that only "
        + "one user may write in")
  }

  /// Whether this is root, and others may write in the folder of a file.
  static func isShared(_ path: String) -> Bool {
    guard Privileges.isRoot else { return false }
    return (try? PathControl(of: path, isStrict: true)) != .rootAlone
  }

  private static func control(
    of path: String, isStrict: Bool
  ) throws(Failure) -> PathControl {
    do throws(SystemError) {
      return try PathControl(of: path, isStrict: isStrict)
    } catch {
      throw Failure("\(error)")
    }
  }

  static func become(_ owner: PathControl.Owner) throws(Failure) {
    do throws(SystemError) { try Privileges.become(owner) } catch { throw Failure("\(error)") }
    state.withLock { $0.user = User.name(of: owner.user) }
  }

  // MARK: Outputs

  /// - Parameter owner: as whom this process is about to work; nil: as root.
  private static func prepare(
    _ output: String, besides owner: PathControl.Owner?
  ) throws(Failure) {
    let writer = try writer(of: output)
    guard writer != owner else { return }
    let process = try OutputProcess(for: output, as: writer)
    state.withLock { $0.output = process }
  }

  /// The process that writes this file; nil where this one does by itself.
  static func outputProcess(for path: String) throws(Failure) -> OutputProcess? {
    if let process = state.withLock({ $0.output }), process.accepts(path) { return process }
    guard Privileges.isRoot, try writer(of: path) != nil else { return nil }
    try prepare(path, besides: nil)
    return state.withLock { $0.output }
  }

  // MARK: Inputs

  /// Which files may be read.
  enum Trust: Equatable {
    case all
    /// Only regular files, which nothing waits for; where a user is named, only that user's.
    case regularFiles(of: UInt32?)

    /// For `open`.
    var flags: Int32 { self == .all ? 0 : O_NONBLOCK }

    func allows(_ descriptor: Int32) -> Bool {
      guard case .regularFiles(let user) = self else { return true }
      var status = stat()
      return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        && user ?? status.st_uid == status.st_uid
    }
  }

  /// By names that another user can change root reads only that user's own files: a link would lead it to others.
  static func trust(_ path: String) throws(Failure) -> Trust {
    guard Privileges.isRoot else { return user == nil ? .all : .regularFiles(of: nil) }
    return try writer(of: path).map { .regularFiles(of: $0.user) } ?? .all
  }
}
