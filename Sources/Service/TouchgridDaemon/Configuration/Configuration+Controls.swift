internal import ConfigurationFiles
internal import Text
internal import TouchModel

extension Configuration {
  /// Reads the `[[control]]` tables.
  mutating func readControls(_ document: inout ConfigurationDocument<Section>) {
    var lines: [ScreenControls.Place: [ExactName: Int]] = [:]
    for var reader in document.readers(.control) {
      if let (control, screen, display) = Self.control(&reader) {
        let place = ScreenControls.Place(screen, display)
        let name = ExactName(control.name)
        if let first = lines[place]?[name] {
          reader.report(
            "name",
            "screen \(screen.quoted) has a control \(control.name.quoted) already, in line \(first)"
          )
        } else {
          lines[place, default: [:]][name] = reader.line(of: "name")
          if !add(control, to: screen, display) {
            reader.report(
              "screen",
              "screen \(screen.quoted) has more than \(ScreenControls.limit) controls; leave out "
                + "those that do not matter")
          }
        }
      }
      document.add(reader)
    }
  }

  /// - Returns: false if the screen has no room for the control.
  private mutating func add(_ control: Control, to screen: String, _ display: String?) -> Bool {
    let place = ScreenControls.Place(screen, display)
    guard let known = controls.firstIndex(where: { $0.place == place }) else {
      controls.append(ScreenControls(screen: screen, display: display, controls: [control]))
      return true
    }
    guard controls[known].controls.count < ScreenControls.limit else { return false }
    controls[known].controls.append(control)
    return true
  }

  /// Reads one `[[control]]` table, and reports the errors in all its keys.
  /// - Returns: nil if a name or the rectangle is missing, or any value is invalid.
  private static func control(
    _ reader: inout SectionReader<Section>
  ) -> (control: Control, screen: String, display: String?)? {
    for (key, what) in [("name", "a name"), ("screen", "a screen: the name that the app gives it")]
    where !reader.contains(key) {
      reader.report(key, "[[control]] needs \(what)")
    }
    let name = reader.name("name", such: "pay")
    let screen = reader.name("screen", such: "checkout")
    let display = reader.name("display", such: "HDMI-A-1")
    let rectangle = Rectangle.read(&reader, orNone: "A control needs all four")
    let countsRage = reader.boolean("rage") ?? true
    if rectangle == nil, !reader.contains("x"), reader.problems.isEmpty {
      reader.report("name", "[[control]] needs x, y, width and height")
    }
    guard let name, let screen, let rectangle, reader.problems.isEmpty else { return nil }
    return (
      Control(name: name, rectangle: rectangle, countsRage: countsRage), screen, display
    )
  }
}
