internal import TouchModel

/// What a client says of a display; nil leaves what is known otherwise.
struct DisplayOverride: Hashable, Sendable {
  var size: Configuration.Display.Size?
  var scale: Double?
  var rotation: Rotation?

  /// - Returns: nil where the geometry cannot be: a value is out of its range, or there would be too many
  ///   blocks.
  func applied(to geometry: DisplayGeometry) -> DisplayGeometry? {
    DisplayGeometry(
      pixelWidth: size?.width ?? geometry.pixelWidth,
      pixelHeight: size?.height ?? geometry.pixelHeight, scale: scale ?? geometry.scale,
      rotation: rotation ?? geometry.rotation, blockSize: geometry.blockSize)
  }

  /// From where a geometry is known to which this is applied: a guessed size stays a guess however it is turned.
  func source(of geometry: Source) -> Source {
    geometry == .guess && size == nil ? .guess : .client
  }

  /// Takes over what a later one says.
  mutating func merge(_ later: DisplayOverride) {
    size = later.size ?? size
    scale = later.scale ?? scale
    rotation = later.rotation ?? rotation
  }
}
