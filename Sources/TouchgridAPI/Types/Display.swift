public import TouchModel

extension API {
  public struct Geometry: Codable, Hashable, Sendable {
    public var pixelWidth: Int
    public var pixelHeight: Int
    public var scale: Double
    public var rotation: Int
    public var blockSize: Int
    public var width: Double
    public var height: Double
    public var columns: Int
    public var rows: Int

    public init(_ geometry: DisplayGeometry) {
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

    /// nil where the values are no geometry, or what follows from them was sent otherwise.
    public var displayGeometry: DisplayGeometry? {
      guard let rotation = Rotation(rawValue: rotation),
        let geometry = DisplayGeometry(
          pixelWidth: pixelWidth, pixelHeight: pixelHeight, scale: scale, rotation: rotation,
          blockSize: blockSize),
        geometry.columns == columns, geometry.rows == rows
      else { return nil }
      return geometry
    }
  }

  public struct Display: Codable, Hashable, Sendable {
    public var name: String
    public var geometry: Geometry
    public var geometrySource: Source
    public var screen: String
    public var devices: [String]

    public init(
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
