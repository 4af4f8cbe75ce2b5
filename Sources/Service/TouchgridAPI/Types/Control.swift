package import TouchModel

extension API {
  /// A named rectangle of a screen that people touch, such as a button.
  public struct Control: Codable, Hashable, Sendable {
    /// The name, unique on its screen. It must not contain what people enter.
    public var name: String
    /// In points of the display. Its edges belong to it.
    public var rectangle: Rectangle
    /// Whether rage taps are counted; nil for true. False for controls that people tap quickly on
    /// purpose.
    public var rage: Bool?

    /// Creates a value with these members.
    public init(name: String, rectangle: Rectangle, rage: Bool? = nil) {
      self.name = name
      self.rectangle = rectangle
      self.rage = rage
    }

    /// Creates the value from the model's control.
    package init(_ control: TouchModel.Control) {
      self.init(
        name: control.name, rectangle: Rectangle(control.rectangle),
        rage: control.countsRage ? nil : false)
    }
  }

  /// The controls of a screen.
  public struct ScreenControls: Codable, Hashable, Sendable {
    /// The name of the screen.
    public var screen: String
    /// The name of the display; nil for every display without a list of its own.
    public var display: String?
    /// From back to front: where controls overlap, a touch hits the last one.
    public var controls: [Control]

    /// Creates a value with these members.
    public init(screen: String, display: String? = nil, controls: [Control]) {
      self.screen = screen
      self.display = display
      self.controls = controls
    }

    /// Creates the value from the model's list.
    package init(_ list: TouchModel.ScreenControls) {
      self.init(
        screen: list.screen, display: list.display, controls: list.controls.map(Control.init))
    }
  }
}

extension TouchModel.Control {
  /// - Returns: nil if the rectangle is invalid.
  package init?(_ control: API.Control) {
    guard let rectangle = control.rectangle.rectangle else { return nil }
    self.init(name: control.name, rectangle: rectangle, countsRage: control.rage ?? true)
  }
}
