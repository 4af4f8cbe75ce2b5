internal import LinuxIO

/// Where programs that browsers run hand on what the extension tells, to the follower of the same user.
enum ExtensionSocket {
  static func path() throws(FollowFailure) -> String {
    guard let folder = Environment.value("XDG_RUNTIME_DIR") else {
      throw .nothingToFollow(
        "a source of kind = \"extension\" needs the folder of a user's session (XDG_RUNTIME_DIR)")
    }
    return "\(folder)/touchgrid-follow.extension"
  }
}
