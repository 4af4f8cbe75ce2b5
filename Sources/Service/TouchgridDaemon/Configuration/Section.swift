internal import ConfigurationFiles

/// The tables of a configuration file.
enum Section: String, ConfigurationSection {
  case store, session, grid, devices, device, display, mask, cover, control, funnel, socket, roles
  case log

  static let example = Section.session

  /// Whether the table may occur several times, as `[[…]]`.
  var isRepeated: Bool { [.device, .display, .mask, .cover, .control, .funnel].contains(self) }

  var keys: [String] {
    switch self {
    case .store: ["path", "checkpoint", "keep_sessions", "max_size"]
    case .session: ["mode", "idle_timeout", "max_duration", "late_names"]
    case .grid: ["block_size", "layers"]
    case .devices: ["seat", "ghosts", "edge_grips", "health"]
    case .device: ["match", "ignore", "display", "x", "y", "calibration"]
    case .display:
      ["name", "width", "height", "scale", "rotation", "width_mm", "height_mm", "bottom_mm"]
    case .mask: ["screen", "display", "x", "y", "width", "height"]
    case .cover: ["display", "x", "y", "width", "height"]
    case .control: ["name", "screen", "display", "x", "y", "width", "height", "rage"]
    case .funnel: ["name", "screens"]
    case .socket: ["path"]
    case .roles: ["app", "read", "watch", "signal", "operate"]
    case .log: ["level"]
    }
  }
}
