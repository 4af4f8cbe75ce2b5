import LinuxIO

/// The folder of a process in `/proc`. While it is open, it belongs to that process alone, even if
/// another process gets the same number.
extension OpenFolder {
  /// Returns a file of the process; nil if it cannot be read, or has more than 1 MiB.
  func text(_ name: String) -> String? {
    (try? contents(name, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }

  func words(_ name: String) -> [String] {
    (text(name) ?? "").split(separator: "\0").map { String($0) }
  }

  /// Returns the variables with the given names from the environment with which the process was
  /// started.
  func variables(_ names: Set<String>) -> [String: String] {
    var found: [String: String] = [:]
    for word in words("environ") {
      guard let sign = word.firstIndex(of: "=") else { continue }
      let name = String(word[..<sign])
      if names.contains(name) { found[name] = String(word[word.index(after: sign)...]) }
    }
    return found
  }

  /// The real user and group.
  var owner: PathControl.Owner? {
    let lines = (text("status") ?? "").split(separator: "\n")
    func number(_ name: String) -> UInt32? {
      lines.first { $0.hasPrefix(name) }?.split(separator: "\t").dropFirst().first
        .flatMap { UInt32($0) }
    }
    guard let user = number("Uid:"), let group = number("Gid:") else { return nil }
    return PathControl.Owner(user: user, group: group)
  }
}
