package import Text
package import TouchModel

/// Placements in the form that `placement.list` stores; `docs/store-format.md` shows an example.
extension Placement: StoredElement {
  static var table: String { "placement" }

  package var json: JSONValue {
    let members: [(String, JSONValue)] = [
      ("device", .string(device)),
      ("x", Self.json(x)),
      ("y", Self.json(y)),
      ("range_from", .string(rangeSource.rawValue)),
      ("matrix", .array(matrix.values.map { .number($0.description) })),
      ("matrix_from", .string(matrixSource.rawValue)),
      ("display", .string(display)),
      ("pixels", .array([.integer(geometry.pixelWidth), .integer(geometry.pixelHeight)])),
      ("scale", .number(geometry.scale.description)),
      ("rotation", .integer(geometry.rotation.rawValue)),
      ("block_size", .integer(geometry.blockSize)),
      ("display_from", .string(displaySource.rawValue)),
      ("geometry_from", .string(geometrySource.rawValue)),
    ]
    return .object(members.map { JSONValue.Member(name: $0.0, value: $0.1) })
  }

  /// - Returns: nil if a member is missing or out of range.
  package init?(_ json: JSONValue) {
    guard let device = json["device"]?.string,
      let x = Self.range(json["x"]), let y = Self.range(json["y"]),
      let rangeSource = Self.source(json["range_from"]),
      let numbers = json["matrix"]?.elements?.compactMap(\.digits),
      let matrix = CalibrationMatrix(numbers.joined(separator: " ")),
      let matrixSource = Self.source(json["matrix_from"]),
      let display = json["display"]?.string,
      let pixels = json["pixels"]?.elements?.compactMap(\.integer), pixels.count == 2,
      let scale = (json["scale"]?.digits).flatMap({ Double($0) }),
      let rotation = (json["rotation"]?.integer).flatMap({ Rotation(rawValue: $0) }),
      let blockSize = json["block_size"]?.integer,
      let geometry = DisplayGeometry(
        pixelWidth: pixels[0], pixelHeight: pixels[1], scale: scale, rotation: rotation,
        blockSize: blockSize),
      let displaySource = Self.source(json["display_from"]),
      let geometrySource = Self.source(json["geometry_from"])
    else { return nil }
    self.init(
      device: device, x: x, y: y, rangeSource: rangeSource, matrix: matrix,
      matrixSource: matrixSource, display: display, geometry: geometry,
      displaySource: displaySource, geometrySource: geometrySource)
  }

  private static func json(_ range: Range) -> JSONValue {
    .array([.integer(range.minimum), .integer(range.maximum)])
  }

  private static func range(_ json: JSONValue?) -> Range? {
    guard let ends = json?.elements?.compactMap({ $0.digits.flatMap { Int32($0) } }),
      ends.count == 2, ends[0] < ends[1]
    else { return nil }
    return Range(minimum: ends[0], maximum: ends[1])
  }

  private static func source(_ json: JSONValue?) -> Source? {
    json?.string.flatMap { Source(rawValue: $0) }
  }

  /// Returns each placement once, in an order that does not depend on the order of the lists.
  static func union(_ lists: some Sequence<[Placement]>) -> [Placement] {
    let texts = Dictionary(
      lists.joined().map { (Array($0.json.exactText.utf8), $0) },
      uniquingKeysWith: { first, _ in first }
    )
    return texts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
  }
}

extension JSONValue {
  fileprivate var integer: Int? { digits.flatMap { Int($0) } }
}
