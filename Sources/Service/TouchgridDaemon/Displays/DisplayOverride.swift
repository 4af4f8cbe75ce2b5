internal import TouchModel

/// A client's settings for a display. A property that is nil keeps the value from other sources.
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

  /// Returns the source of a geometry after the override was applied: `.client`, or `.guess` if the
  /// size was a guess and the override does not set it.
  func source(of geometry: Source) -> Source {
    geometry == .guess && size == nil ? .guess : .client
  }

  /// Adopts the values that a later override sets.
  mutating func merge(_ later: DisplayOverride) {
    size = later.size ?? size
    scale = later.scale ?? scale
    rotation = later.rotation ?? rotation
  }
}
