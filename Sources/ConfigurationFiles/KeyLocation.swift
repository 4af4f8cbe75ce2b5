/// The line in which a key of a configuration file stands, with those of the keys below it. The
/// parser knows lines for syntax errors only.
final class KeyLocation {
  /// Of inline arrays no more elements than these are remembered.
  private static let elementLimit = 64

  /// From 1.
  let line: Int
  private(set) var children: [String: KeyLocation] = [:]
  /// Of an array, by index.
  private(set) var elements: [KeyLocation] = []

  init(line: Int) { self.line = line }

  /// The place of a key below this one, and of all between: what is new stands in the line given.
  func descend(_ keys: [String], line: Int) -> KeyLocation {
    keys.reduce(self) { location, key in
      let table = location.elements.last ?? location
      if let child = table.children[key] { return child }
      let child = KeyLocation(line: line)
      table.children[key] = child
      return child
    }
  }

  /// The place of one more table of a `[[…]]`.
  func appendTable(line: Int) -> KeyLocation {
    let table = KeyLocation(line: line)
    elements.append(table)
    return table
  }

  /// The place of one more element of an inline array.
  func appendElement(line: Int) -> KeyLocation {
    elements.count < Self.elementLimit ? appendTable(line: line) : KeyLocation(line: line)
  }

  /// The line of a key, or of the section where the key was not found.
  func line(of key: String) -> Int { children[key]?.line ?? line }
}
