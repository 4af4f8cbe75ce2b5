internal import ConfigurationFiles

/// The tables of a follower's configuration file.
enum FollowSection: String, ConfigurationSection {
  case daemon, names, source, rule

  static let example = FollowSection.rule

  var isRepeated: Bool { self == .source || self == .rule }

  var keys: [String] {
    switch self {
    case .daemon: ["socket"]
    case .names: ["query", "fragment"]
    case .source: ["kind", "port", "path", "command", "output", "display", "controls"]
    case .rule: ["url", "app", "title", "screen", "mask", "ignore"]
    }
  }
}
