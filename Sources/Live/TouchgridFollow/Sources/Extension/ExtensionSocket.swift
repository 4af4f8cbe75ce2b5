internal import Glibc
internal import LinuxIO
internal import Text
internal import TouchModel

/// The socket on which a follower receives the extension's messages, from programs that browsers of
/// the same user start.
enum ExtensionSocket {
  /// Returns the path of the socket.
  /// - Throws: `nothingToFollow` unless XDG_RUNTIME_DIR is a folder that only this user can write
  ///   to.
  static func path() throws(FollowFailure) -> String {
    guard let folder = Environment.value("XDG_RUNTIME_DIR") else {
      throw .nothingToFollow(
        "XDG_RUNTIME_DIR is not set, but the extension needs it; run this in a user's session")
    }
    if let refusal = RuntimeFolder.refusal { throw .nothingToFollow(refusal) }
    var status = stat()
    guard unsafe stat(folder, &status) == 0, status.st_uid == geteuid(),
      status.st_mode & (S_IFMT | S_IWGRP | S_IWOTH) == S_IFDIR
    else {
      throw .nothingToFollow(
        "XDG_RUNTIME_DIR (\(folder.printable(limit: 200))) must be a folder that only this user can write to"
      )
    }
    return "\(folder)/touchgrid-follow.extension"
  }

  static func isOfThisUser(_ descriptor: Int32) -> Bool {
    (try? PeerCredentials(of: descriptor))?.user == geteuid()
  }
}
