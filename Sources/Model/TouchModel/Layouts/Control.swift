package import Text

/// A named rectangle of a screen that people touch, such as a button.
public struct Control: Hashable, Sendable {
  /// The control's name: unique in its set.
  public var name: String
  /// In points of the display. Its edges belong to it.
  public var rectangle: Rectangle
  /// Whether rage taps are counted. False for controls that people tap quickly on purpose, such as
  /// the buttons of a stepper or the keys of a keyboard.
  public var countsRage: Bool

  public init(name: String, rectangle: Rectangle, countsRage: Bool = true) {
    self.name = name
    self.rectangle = rectangle
    self.countsRage = countsRage
  }
}

public struct ScreenControls: Hashable, Sendable {
  /// The maximum number of controls of a screen.
  public static let limit = 256

  /// The screen's name.
  public var screen: String
  /// The display's name; nil for every display that has no separate list for this screen.
  public var display: String?
  /// From back to front: where controls overlap, a touch hits the last one.
  public var controls: [Control]

  public init(screen: String, display: String? = nil, controls: [Control]) {
    self.screen = screen
    self.display = display
    self.controls = controls
  }

  package var place: Place { Place(screen, display) }

  /// A screen, and a display or nil.
  package struct Place: Hashable, Sendable {
    package var screen: ExactName
    package var display: ExactName?

    package init(_ screen: String, _ display: String?) {
      self.screen = ExactName(screen)
      self.display = display.map { ExactName($0) }
    }
  }
}

/// The controls of a screen, with which touches are compared. Sets are identified by their content:
/// if a control moves, it is another set, with separate counts.
public struct ControlSet: Hashable, Sendable {
  /// At most `ScreenControls.limit`, from back to front.
  public let controls: [Control]
  /// The size of a point on the display, in mm.
  public let pointSize: Double

  /// The size of a point on a display of unknown size, in mm: 1/96 inch, as CSS defines a pixel.
  public static let assumedPointSize = 25.4 / 96
  /// The sizes that a point may have, in mm.
  public static let pointSizes = 0.01...10.0

  /// - Returns: nil if there is no control, more than `ScreenControls.limit`, two with the same
  ///   name, or if the size of a point is out of its range.
  public init?(_ controls: [Control], pointSize: Double) {
    guard (1...ScreenControls.limit).contains(controls.count),
      Self.pointSizes.contains(pointSize),
      Set(controls.map { ExactName($0.name) }).count == controls.count
    else { return nil }
    self.controls = controls
    self.pointSize = pointSize
  }

  /// A set whose parts were checked before.
  init(checked controls: [Control], pointSize: Double) {
    self.controls = controls
    self.pointSize = pointSize
  }
}
