/// The reasons why a follower cannot run.
public enum FollowFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// There is nothing to observe. The message has the reason and the remedy.
  case nothingToFollow(String)
  /// The daemon does not let this user name screens. The message has the remedy.
  case notPermitted(String)
  case system(String)

  /// The exit status, from `sysexits.h`.
  public var status: Int32 {
    switch self {
    case .nothingToFollow: 69
    case .notPermitted: 77
    case .system: 71
    }
  }

  public var description: String {
    switch self {
    case .nothingToFollow(let message), .notPermitted(let message), .system(let message): message
    }
  }
}
