import Heatmaps
import Text
import TouchModel

/// Derives the file names of several grids from the name that the user gave, such as
/// `map-menu.png`. The names contain the values that distinguish the grids, in characters that
/// every file system accepts. All names differ, even on file systems that ignore case.
enum HeatmapNames {
  /// The maximum length of a file's name in bytes (`NAME_MAX`).
  private static let nameLimit = 255
  /// The number of bytes that must be left for these values.
  private static let leastRoom = 16

  /// Returns the path of each grid's file.
  /// - Throws: an error if the user's name leaves too little room.
  static func paths(_ keys: [GridKey], path: String) throws(Failure) -> [String] {
    guard keys.count > 1 else { return keys.map { _ in path } }
    let ending = FileEnding(path)
    let stem = (ending?.stem ?? path) + "-"
    let end = ending.map { "." + $0.text } ?? ""
    let own = stem.split(separator: "/", omittingEmptySubsequences: false).last?.utf8.count ?? 0
    let room = nameLimit - own - end.utf8.count
    guard room >= leastRoom else {
      throw Failure(
        "the name \(path.printable(limit: 4096)) is too long: \(keys.count) files are written, and the "
          + "name of each screen is added to it; give a shorter name")
    }
    func differ(_ part: (GridKey) -> some Hashable) -> Bool { Set(keys.map(part)).count > 1 }
    let (hasDisplay, hasGeometry) = (differ(\.display), differ(\.geometry))
    let hasScreen = differ(\.screen) || !(hasDisplay || hasGeometry)
    var taken: Set<String> = []
    return keys.map { key in
      let parts =
        (hasScreen ? [key.screen] : []) + (hasDisplay ? [key.display] : [])
        + (hasGeometry ? [key.geometry.text] : [])
      let name = parts.map(safe).joined(separator: "-")
      var number = 1
      while true {
        let suffix = number == 1 ? "" : "-\(number)"
        let unique = stem + cut(name, to: room - suffix.utf8.count) + suffix + end
        if taken.insert(unique.lowercased()).inserted { return unique }
        number += 1
      }
    }
  }

  /// Returns the arguments that choose each grid, one line each.
  static func arguments(_ keys: [GridKey]) -> String {
    keys.map {
      "  \($0.screen.printable()) --display \($0.display.printable()) --geometry "
        + $0.geometry.text
    }.joined(separator: "\n")
  }

  private static func cut(_ name: String, to bytes: Int) -> String {
    var result = ""
    var count = 0
    for scalar in name.unicodeScalars {
      count += String(scalar).utf8.count
      guard count <= bytes else { break }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  private static func safe(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      if isPlain || "_@+".unicodeScalars.contains(scalar) {
        result.unicodeScalars.append(scalar)
      } else if result.last != "-" {
        result.append("-")
      }
    }
    return result.isEmpty ? "-" : result
  }
}
