/// The line of a key in a configuration file, and the lines of the keys below it. `KeyScanner`
/// finds them, because the parser reports lines only for syntax errors.
final class KeyLocation {
  /// The maximum number of elements of an inline array whose lines are recorded.
  private static let elementLimit = 64

  /// Counted from 1.
  let line: Int
  private(set) var children: [String: KeyLocation] = [:]
  /// The elements of an array, by index.
  private(set) var elements: [KeyLocation] = []

  init(line: Int) { self.line = line }

  /// Returns the location of a nested key, within the last table of each `[[…]]` on the way.
  /// Locations that do not exist yet are created with the given line.
  func descend(_ keys: [String], line: Int) -> KeyLocation {
    keys.reduce(self) { location, key in
      let table = location.elements.last ?? location
      if let child = table.children[key] { return child }
      let child = KeyLocation(line: line)
      table.children[key] = child
      return child
    }
  }

  /// Adds the location of another table of a `[[…]]`.
  func appendTable(line: Int) -> KeyLocation {
    let table = KeyLocation(line: line)
    elements.append(table)
    return table
  }

  /// Adds the location of another element of an inline array.
  func appendElement(line: Int) -> KeyLocation {
    elements.count < Self.elementLimit ? appendTable(line: line) : KeyLocation(line: line)
  }

  /// Returns the line of a key directly below this one; the line of this one if it is not found.
  func line(of key: String) -> Int { children[key]?.line ?? line }
}
