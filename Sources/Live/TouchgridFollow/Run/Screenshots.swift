internal import Glibc
internal import LinuxIO
internal import Text

/// Saves a screenshot of each screen that has none, in a folder that `touchgrid report --screens`
/// reads.
struct Screenshots {
  private let folder: String
  /// The screens that have a picture or cannot have one.
  private var done: Set<String> = []

  /// - Parameter folder: the path of a folder that exists.
  /// - Throws: `nothingToFollow` if it is no folder, or if this process is root and another user
  ///   controls the path.
  init(_ folder: String) throws(FollowFailure) {
    var status = stat()
    guard unsafe stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw .nothingToFollow("\(folder.printable(limit: 4096)) is not a folder; create it first")
    }
    if let fault = PathControl.fault(of: folder + "/screen.png", isStrict: true) {
      throw .nothingToFollow(
        "root saves no screenshots in \(folder.printable(limit: 4096)): \(fault). Run this as the "
          + "user of the desktop")
    }
    self.folder = folder
  }

  mutating func needsPicture(of screen: String) -> Bool {
    guard !done.contains(screen) else { return false }
    guard let path = path(of: screen), unsafe access(path, F_OK) != 0 else {
      done.insert(screen)
      return false
    }
    return true
  }

  /// Saves a picture. Never replaces a file.
  /// - Returns: the path of the file.
  mutating func save(_ picture: [UInt8], of screen: String) throws(SystemError) -> String? {
    guard let path = path(of: screen) else { return nil }
    done.insert(screen)
    var parent = folder
    for part in screen.split(separator: "/").dropLast() {
      parent += "/\(part)"
      // If this fails, the error of creating the file gives the reason.
      unsafe mkdir(parent, 0o755)
    }
    var file = try FileReplacement(of: path)
    var sent = 0
    while sent < picture.count {
      let count = unsafe picture[sent...].withUnsafeBytes {
        unsafe write(file.descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError(context: "writing \(path)") }
      sent += count
    }
    try file.finish(replaces: false)
    return path
  }

  /// - Returns: nil if the name cannot be a file name in the folder.
  private func path(of screen: String) -> String? {
    let parts = screen.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && $0.utf8.count <= 200 }) else {
      return nil
    }
    return "\(folder)/\(screen).png"
  }
}
