import Foundation
public import TouchModel

public func geometry(
  _ width: Int = 160, _ height: Int = 96, scale: Double = 1, rotation: Rotation = .none,
  blockSize: Int = 16
) throws -> DisplayGeometry {
  guard
    let geometry = DisplayGeometry(
      pixelWidth: width, pixelHeight: height, scale: scale, rotation: rotation,
      blockSize: blockSize)
  else { throw POSIXError(.EINVAL) }
  return geometry
}
