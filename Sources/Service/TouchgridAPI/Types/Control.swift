package import TouchModel

extension API.Control {
  /// Creates the value from the model's control.
  package init(_ control: TouchModel.Control) {
    self.init(
      name: control.name, rectangle: API.Rectangle(control.rectangle),
      rage: control.countsRage ? nil : false)
  }
}

extension API.ScreenControls {
  /// Creates the value from the model's list.
  package init(_ list: TouchModel.ScreenControls) {
    self.init(
      screen: list.screen, display: list.display, controls: list.controls.map(API.Control.init))
  }
}

extension TouchModel.Control {
  /// - Returns: nil if the rectangle is invalid.
  package init?(_ control: API.Control) {
    guard let rectangle = control.rectangle.rectangle else { return nil }
    self.init(name: control.name, rectangle: rectangle, countsRage: control.rage ?? true)
  }
}
