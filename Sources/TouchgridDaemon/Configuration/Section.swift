/// The tables of a configuration file.
enum Section: String, CaseIterable {
  case store, session, grid, devices, device, display, mask, socket, roles, log

  /// There may be several, as `[[…]]`.
  var isRepeated: Bool { self == .device || self == .display || self == .mask }

  var title: String { isRepeated ? "[[\(rawValue)]]" : "[\(rawValue)]" }

  var keys: [String] {
    switch self {
    case .store: ["path", "checkpoint", "keep_sessions", "max_size"]
    case .session: ["mode", "idle_timeout", "max_duration", "late_names"]
    case .grid: ["block_size", "layers"]
    case .devices: ["seat", "ghosts"]
    case .device: ["match", "ignore", "display", "x", "y", "calibration"]
    case .display: ["name", "width", "height", "scale", "rotation"]
    case .mask: ["screen", "display", "x", "y", "width", "height"]
    case .socket: ["path"]
    case .roles: ["app", "read", "watch"]
    case .log: ["level"]
    }
  }

  /// What to say of a key that this section does not have.
  func unknownKey(_ key: String) -> String {
    Self.unknownKey(
      key, place: "in \(title)", candidates: keys, others: Self.allCases.filter { $0 != self })
  }

  /// The same of a key above all sections.
  static func unknownTopKey(_ key: String, isTable: Bool) -> String {
    if isTable {
      let name = nearest(key, in: allCases.map(\.rawValue)).flatMap(Section.init)
      let titles = allCases.map(\.title).joined(separator: ", ")
      return "unknown table \(key.quoted); "
        + (name.map { "did you mean \($0.title)?" } ?? "there are \(titles)")
    }
    return unknownKey(key, place: "outside any table", candidates: [], others: allCases)
  }

  private static func unknownKey(
    _ key: String, place: String, candidates: [String], others: [Section]
  ) -> String {
    let unknown = "unknown key \(key.quoted) \(place)"
    if let name = nearest(key, in: candidates) { return "\(unknown); did you mean \"\(name)\"?" }
    if let home = others.first(where: { $0.keys.contains(key) }) {
      return "\(unknown); it belongs in \(home.title)"
    }
    if candidates.isEmpty { return "\(unknown); every key belongs in a table such as [session]" }
    return "\(unknown); the keys there are \(candidates.joined(separator: ", "))"
  }
}
