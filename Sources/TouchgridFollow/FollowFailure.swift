/// Why nothing is followed.
public enum FollowFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// There is nothing to look at; why, and what to do.
  case nothingToFollow(String)
  /// The daemon lets others name screens; its words.
  case notPermitted(String)
  case system(String)

  /// `sysexits.h`.
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
