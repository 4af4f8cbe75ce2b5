internal import ConfigurationFiles
internal import Text
internal import TouchModel

extension Configuration {
  /// Reads the `[[funnel]]` tables.
  mutating func readFunnels(_ document: inout ConfigurationDocument<Section>) {
    var lines: [ExactName: Int] = [:]
    for var reader in document.readers(.funnel) {
      if let funnel = Self.funnel(&reader) {
        if let first = lines[ExactName(funnel.name)] {
          reader.report("name", "line \(first) has a funnel \(funnel.name.quoted) already")
        } else if funnels.count == Funnel.limit {
          reader.report("name", "there are more than \(Funnel.limit) funnels; leave some out")
        } else {
          lines[ExactName(funnel.name)] = reader.line(of: "name")
          funnels.append(funnel)
        }
      }
      document.add(reader)
    }
  }

  /// Reads one `[[funnel]]` table, and reports the errors in all its keys.
  /// - Returns: nil if the name or the screens are missing or invalid.
  private static func funnel(_ reader: inout SectionReader<Section>) -> Funnel? {
    let name = reader.name("name", such: "order")
    if !reader.contains("name") { reader.report("name", "[[funnel]] needs a name") }
    let wanted = "a list of 2 to \(Funnel.screenLimit) screens such as [\"home\", \"pay\"]"
    guard reader.contains("screens") else {
      reader.report("screens", "[[funnel]] needs screens, \(wanted)")
      return nil
    }
    guard let list = reader.list("screens", wanted) else { return nil }
    var screens: [String] = []
    for (value, line) in list {
      guard let screen = value.string?.asName else {
        let given = value.string?.quoted ?? value.kindInWords
        reader.report(line: line, "screens must have names of screens, not \(given)")
        return nil
      }
      // A change to the screen that is already shown is not a change, so the second step could
      // never be reached.
      if let last = screens.last, ExactName(last) == ExactName(screen) {
        reader.report(line: line, "screens has \(screen.quoted) twice in a row")
        return nil
      }
      screens.append(screen)
    }
    guard (2...Funnel.screenLimit).contains(screens.count) else {
      reader.report("screens", "screens must be \(wanted); it has \(screens.count)")
      return nil
    }
    guard let name, reader.problems.isEmpty else { return nil }
    return Funnel(name: name, screens: screens)
  }
}
