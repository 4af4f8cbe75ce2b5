internal import Text

/// A screen on a display geometry as a part of the key of a subject.
extension GridKey {
  var subjectMembers: [JSONValue.Member] {
    let members: [(String, JSONValue)] = [
      ("display", .string(display)), ("screen", .string(screen)),
      ("pixels", .array([.integer(geometry.pixelWidth), .integer(geometry.pixelHeight)])),
      ("scale", .real(geometry.scale)), ("rotation", .integer(geometry.rotation.rawValue)),
      ("block_size", .integer(geometry.blockSize)),
    ]
    return members.map { JSONValue.Member(name: $0.0, value: $0.1) }
  }

  /// - Returns: nil if a member is missing or invalid. Others may follow them.
  init?(subject json: JSONValue) {
    guard let display = json["display"]?.string, let screen = json["screen"]?.string,
      let pixels = json["pixels"]?.elements?.compactMap(\.number), pixels.count == 2,
      let width = Int(exactly: pixels[0]), let height = Int(exactly: pixels[1]),
      let scale = json["scale"]?.number, let turned = json["rotation"]?.number,
      let rotation = Int(exactly: turned).flatMap({ Rotation(rawValue: $0) }),
      let blockSize = (json["block_size"]?.number).flatMap({ Int(exactly: $0) }),
      let geometry = DisplayGeometry(
        pixelWidth: width, pixelHeight: height, scale: scale, rotation: rotation,
        blockSize: blockSize)
    else { return nil }
    self.init(display: display, screen: screen, geometry: geometry)
  }
}

extension JSONValue {
  /// The number; nil if the value is not a number.
  var number: Double? { digits.flatMap { Double($0) } }
}
