import ConfigurationFiles
import Text
import TouchModel
import TouchgridAPI

/// Masks, covers and controls as tables of the configuration.
extension API.Mask {
  /// The keys and values of its `[[mask]]`.
  var tableLines: [String] {
    ["screen = \(tomlString(screen))"] + (display.map { ["display = \(tomlString($0))"] } ?? [])
      + (rectangle?.tableLines ?? [])
  }

  /// - Returns: nil if a `[[mask]]` has no valid name of a screen.
  init?(table: [String: TOMLValue]) {
    guard let screen = table["screen"]?.string?.asName else { return nil }
    self.init(
      screen: screen, display: table["display"]?.string?.asName,
      rectangle: API.Rectangle(table: table))
  }

  /// The mask in the form of the daemon: with normalised names.
  var normalised: API.Mask {
    API.Mask(
      screen: screen.normalised, display: display?.normalised, rectangle: rectangle)
  }

  /// The mask as one line of text.
  var words: String {
    screen.quoted + (display.map { " on \($0.quoted)" } ?? "")
      + (rectangle.map { " at \($0.words)" } ?? "")
  }
}

extension Cover {
  /// The lines of its `[[cover]]`.
  var tableLines: [String] {
    ["[[cover]]"] + (display.map { ["display = \(tomlString($0))"] } ?? [])
      + API.Rectangle(rectangle).tableLines
  }
}

extension API.Rectangle {
  fileprivate var tableLines: [String] {
    zip(["x", "y", "width", "height"], numbers).map { "\($0) = \($1)" }
  }

  fileprivate init?(table: [String: TOMLValue]) {
    let numbers = ["x", "y", "width", "height"].compactMap { key in
      table[key].flatMap { $0.double ?? $0.int.map(Double.init) }
    }
    guard numbers.count == 4 else { return nil }
    self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}

/// A control with its screen and display.
struct PlacedControl: Equatable {
  var screen: String
  var display: String?
  var control: API.Control

  init(screen: String, display: String?, control: API.Control) {
    self.screen = screen.normalised
    self.display = display?.normalised
    self.control = control
    self.control.name = control.name.normalised
  }

  /// - Returns: nil if a `[[control]]` is not valid.
  init?(table: [String: TOMLValue]) {
    guard let screen = table["screen"]?.string, let name = table["name"]?.string,
      let rectangle = API.Rectangle(table: table)
    else { return nil }
    self.init(
      screen: screen, display: table["display"]?.string,
      control: API.Control(
        name: name, rectangle: rectangle, rage: table["rage"]?.bool == false ? false : nil))
  }

  /// The keys and values of its `[[control]]`.
  var tableLines: [String] {
    ["screen = \(tomlString(screen))"] + (display.map { ["display = \(tomlString($0))"] } ?? [])
      + ["name = \(tomlString(control.name))"] + control.rectangle.tableLines
      + (control.rage == false ? ["rage = false"] : [])
  }

  func hasPlace(screen: String, display: String?, name: String) -> Bool {
    self.screen == screen.normalised && self.display == display?.normalised
      && control.name == name.normalised
  }

  /// The control's place as one line of text.
  var words: String {
    "\(control.name.quoted) of \(screen.quoted)" + (display.map { " on \($0.quoted)" } ?? "")
  }
}
