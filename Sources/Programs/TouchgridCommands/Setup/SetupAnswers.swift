import Text
import TouchModel
import TouchgridAPI

/// The decisions of the owner of a machine, as a configuration.
struct SetupAnswers: Equatable {
  /// A `[[display]]`. A key whose value is nil is left out.
  struct Display: Equatable {
    var name: String
    /// The size in pixels, before rotation.
    var size: PixelsArgument?
    var scale: Double?
    var rotation: Rotation?
  }

  /// A `[[device]]`. A key whose value is nil is left out.
  struct Touchscreen: Equatable {
    /// The key or name of the device; `*` and `?` stand for any characters.
    var match: String
    var display: String?
    var calibration: CalibrationMatrix?
  }

  /// The screens that are masked as a whole.
  var masks: [String] = []
  var rectangles: [API.Mask] = []
  /// As in `[store]`, such as `90d`.
  var keepSessions: String?
  var displays: [Display] = []
  var touchscreens: [Touchscreen] = []
  /// The group of each role, unless it is the package's. `""`: no group has the role.
  var groups: [API.Role: String] = [:]
  /// The users to be given each role.
  var users: [API.Role: [String]] = [:]

  /// The roles that users can have, in the order of the configuration.
  static let roles: [API.Role] = [.app, .read, .watch, .signal, .operate]

  /// The group that has a role; nil if none has.
  func group(_ role: API.Role) -> String? {
    let group = groups[role] ?? "touchgrid-\(role.rawValue)"
    return group.isEmpty ? nil : group
  }

  /// The names of screens and displays.
  var names: [String] {
    masks + rectangles.flatMap { [$0.screen] + [$0.display].compactMap(\.self) }
      + displays.map(\.name) + touchscreens.compactMap(\.display)
  }

  /// The configuration file, in TOML.
  var configuration: String {
    var tables = [
      """
      # Written by 'touchgrid setup'. 'man touchgridd.toml' explains every setting. After a
      # change: touchgridd --check && sudo systemctl reload touchgridd
      """
    ]
    if let keepSessions {
      tables.append("[store]\nkeep_sessions = \(tomlString(keepSessions))")
    }
    tables += touchscreens.map(\.table) + displays.map(\.table)
    tables += (masks.map { API.Mask(screen: $0) } + rectangles).map { mask in
      (["[[mask]]"] + mask.tableLines).joined(separator: "\n")
    }
    let roles = Self.roles.compactMap { role in
      groups[role].map { "\(role.rawValue) = \(tomlString($0))" }
    }
    if !roles.isEmpty { tables.append((["[roles]"] + roles).joined(separator: "\n")) }
    return tables.joined(separator: "\n\n") + "\n"
  }
}

extension SetupAnswers.Display {
  fileprivate var table: String {
    let keys = [
      "name = \(tomlString(name))", size.map { "width = \($0.width)\nheight = \($0.height)" },
      scale.map { "scale = \($0)" }, rotation.map { "rotation = \($0.rawValue)" },
    ]
    return (["[[display]]"] + keys.compactMap(\.self)).joined(separator: "\n")
  }
}

extension SetupAnswers.Touchscreen {
  fileprivate var table: String {
    let keys = [
      "match = \(tomlString(match))", display.map { "display = \(tomlString($0))" },
      calibration.map { "calibration = \(tomlString($0.text))" },
    ]
    return (["[[device]]"] + keys.compactMap(\.self)).joined(separator: "\n")
  }
}

/// Returns a text as a basic string of TOML.
func tomlString(_ text: String) -> String {
  let scalars = text.unicodeScalars.map { scalar in
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case _ where scalar.value < 0x20 || scalar.value == 0x7f:
      "\\u" + String(String(0x10000 + scalar.value, radix: 16).dropFirst())
    default: String(scalar)
    }
  }
  return "\"\(scalars.joined())\""
}
