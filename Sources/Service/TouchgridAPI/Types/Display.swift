public import TouchModel

extension API {
  /// The shape of a display, and of the grid laid over it.
  public struct Geometry: Codable, Hashable, Sendable {
    /// The width of the panel before rotation, in pixels: 1 to 16,384.
    public var pixelWidth: Int
    /// The height of the panel before rotation, in pixels: 1 to 16,384.
    public var pixelHeight: Int
    /// Pixels per point: 0.25 to 16.
    public var scale: Double
    /// How far the picture is turned clockwise, in degrees: 0, 90, 180 or 270.
    public var rotation: Int
    /// The side of a block, in points: a power of two, 1 to 256.
    public var blockSize: Int
    /// The width of the picture after rotation, in points: pixels / `scale`.
    public var width: Double
    /// The height of the picture after rotation, in points: pixels / `scale`.
    public var height: Double
    /// The columns of a grid: `width / blockSize`, rounded up.
    public var columns: Int
    /// The rows of a grid: `height / blockSize`, rounded up.
    public var rows: Int

    /// Creates the value from the model's geometry.
    package init(_ geometry: DisplayGeometry) {
      pixelWidth = geometry.pixelWidth
      pixelHeight = geometry.pixelHeight
      scale = geometry.scale
      rotation = geometry.rotation.rawValue
      blockSize = geometry.blockSize
      width = geometry.width
      height = geometry.height
      columns = geometry.columns
      rows = geometry.rows
    }

    /// The model's geometry. nil if a value is out of its range, or if `columns` and `rows` do not
    /// match the other values.
    package var displayGeometry: DisplayGeometry? {
      guard let rotation = Rotation(rawValue: rotation),
        let geometry = DisplayGeometry(
          pixelWidth: pixelWidth, pixelHeight: pixelHeight, scale: scale, rotation: rotation,
          blockSize: blockSize),
        geometry.columns == columns, geometry.rows == rows
      else { return nil }
      return geometry
    }
  }

  /// A display that touchscreens lie on.
  public struct Display: Codable, Hashable, Sendable {
    /// The name of the display.
    public var name: String
    /// The shape of the display and of its grids.
    public var geometry: Geometry
    /// The source of the geometry.
    public var geometrySource: Source
    /// The name of the screen that the display shows.
    public var screen: String
    /// The keys of the devices that lie on it.
    public var devices: [String]

    /// Creates a value with these members.
    package init(
      name: String, geometry: Geometry, geometrySource: Source, screen: String, devices: [String]
    ) {
      self.name = name
      self.geometry = geometry
      self.geometrySource = geometrySource
      self.screen = screen
      self.devices = devices
    }
  }
}
