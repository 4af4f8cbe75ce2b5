internal import Text
internal import TouchModel

extension GridMap {
  /// Machine-readable metadata about the content and the options of the picture. docs/heatmaps.md
  /// documents the members.
  var metadata: [JSONValue.Member] {
    func member(_ name: String, _ value: JSONValue) -> JSONValue.Member {
      JSONValue.Member(name: name, value: value)
    }
    let key = grid.key
    let members = [
      member("format", "touchgrid-picture"), member("version", .integer(1)),
      member("software", .string("Touchgrid \(touchgridVersion)")),
      member("screen", .string(key.screen)), member("display", .string(key.display)),
      member("geometry", key.geometry.json), member("layer", .string(grid.layer.rawValue)),
      member("value", .string(options.value.rawValue)),
    ]
    let totals = [
      member("sessions", .integer(grid.sessions)), member("days", .integer(grid.days)),
      member("shownMs", .integer(grid.shownMilliseconds)),
      member("touches", .integer(grid.touches)),
      member("maskedBlocks", .integer(masked.count)),
      member("most", .real(values.max() ?? 0)),
    ]
    let look = [
      member("colours", .string(options.colours.name)),
      member("scale", .string(scale.kind.rawValue)), member("scaleUnit", .real(scale.unit)),
      member("limit", .real(scale.limit)),
      member("limitRule", .string(limitRule)),
      member("smoothing", smooth == nil ? .null : options.smoothing.map { .real($0) } ?? .null),
      member("fade", fade.map { .real($0) } ?? .null),
      member("background", .bool(background != nil)),
    ]
    return members + source.metadata + totals + look
  }
}
