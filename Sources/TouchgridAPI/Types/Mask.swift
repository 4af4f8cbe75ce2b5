public import TouchModel

extension API {
  /// In points of the display.
  public struct Rectangle: Codable, Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }

    public init(_ rectangle: TouchModel.Rectangle) {
      self.init(
        x: rectangle.x, y: rectangle.y, width: rectangle.width, height: rectangle.height)
    }

    /// nil where a number is not finite, or a size not positive.
    public var rectangle: TouchModel.Rectangle? {
      TouchModel.Rectangle(x: x, y: y, width: width, height: height)
    }
  }

  public struct Mask: Codable, Hashable, Sendable {
    public var screen: String
    public var display: String?
    public var rectangle: Rectangle?

    public init(screen: String, display: String? = nil, rectangle: Rectangle? = nil) {
      self.screen = screen
      self.display = display
      self.rectangle = rectangle
    }
  }
}
