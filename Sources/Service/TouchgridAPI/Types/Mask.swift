package import TouchModel

extension API {
  /// A rectangle in points of the display.
  public struct Rectangle: Codable, Hashable, Sendable {
    /// The left edge.
    public var x: Double
    /// The top edge.
    public var y: Double
    /// The width; above 0 in a valid rectangle.
    public var width: Double
    /// The height; above 0 in a valid rectangle.
    public var height: Double

    /// Creates a value with these members.
    public init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }

    /// Creates the value from the model's rectangle.
    package init(_ rectangle: TouchModel.Rectangle) {
      self.init(
        x: rectangle.x, y: rectangle.y, width: rectangle.width, height: rectangle.height)
    }

    /// The model's rectangle. nil if a number is not finite, or if the width or height is not
    /// positive.
    package var rectangle: TouchModel.Rectangle? {
      TouchModel.Rectangle(x: x, y: y, width: width, height: height)
    }
  }

  /// A masked screen, or a masked rectangle of a screen. Touches in it add to the number of masked
  /// touches of their session. Their positions are not recorded.
  public struct Mask: Codable, Hashable, Sendable {
    /// The name of the screen.
    public var screen: String
    /// The name of the display; nil for every display.
    public var display: String?
    /// The masked rectangle; nil for the whole screen.
    public var rectangle: Rectangle?

    /// Creates a value with these members.
    public init(screen: String, display: String? = nil, rectangle: Rectangle? = nil) {
      self.screen = screen
      self.display = display
      self.rectangle = rectangle
    }
  }
}
