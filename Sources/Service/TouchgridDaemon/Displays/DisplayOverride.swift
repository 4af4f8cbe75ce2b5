internal import TouchModel

/// A client's settings for a display. nil keeps the value from the other sources.
struct DisplayOverride: Hashable, Sendable {
  var size: Configuration.Display.Size?
  var scale: Double?
  var rotation: Rotation?

  /// Returns the geometry with the override applied; nil if a value is out of range or the grid
  /// would have too many blocks.
  func applied(to geometry: DisplayGeometry) -> DisplayGeometry? {
    DisplayGeometry(
      pixelWidth: size?.width ?? geometry.pixelWidth,
      pixelHeight: size?.height ?? geometry.pixelHeight, scale: scale ?? geometry.scale,
      rotation: rotation ?? geometry.rotation, blockSize: geometry.blockSize)
  }

  /// Returns the source of a geometry with the override applied. A guessed size remains a guess,
  /// even after a rotation.
  func source(of geometry: Source) -> Source {
    geometry == .guess && size == nil ? .guess : .client
  }

  /// Replaces the values that a later override sets.
  mutating func merge(_ later: DisplayOverride) {
    size = later.size ?? size
    scale = later.scale ?? scale
    rotation = later.rotation ?? rotation
  }
}
