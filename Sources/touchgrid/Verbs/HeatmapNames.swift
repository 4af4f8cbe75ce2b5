import GridFormats
import TouchModel

/// Names for the files of several grids, made of the one that the user gave: `map-menu.png`. They hold what
/// tells the grids apart, in characters that every file system takes, and no two are equal, not even without
/// regard to case.
enum HeatmapNames {
  /// The most bytes of what is added to a name: a name has 255 on most file systems.
  private static let partLimit = 100

  static func paths(_ keys: [GridKey], path: String) -> [String] {
    guard keys.count > 1 else { return keys.map { _ in path } }
    let ending = FileEnding(path)
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
        let unique =
          (ending?.stem ?? path) + "-" + name + suffix + (ending.map { "." + $0.text } ?? "")
        if taken.insert(unique.lowercased()).inserted { return unique }
        number += 1
      }
    }
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
      if result.utf8.count > partLimit { break }
    }
    return result.isEmpty ? "-" : result
  }
}
