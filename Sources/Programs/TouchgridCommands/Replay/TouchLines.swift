import Heatmaps
import Text
import TouchModel

extension DecodedRecording {
  /// Returns one JSON object for each touch, in the order in which the touches began.
  /// - Throws: an error if no display can be guessed for a device, so that its touches have no
  ///   points.
  func touchLines() throws(Failure) -> [String] {
    var lines: [String] = []
    for touch in touches {
      let device = devices[touch.device]
      guard let placement = device.placement else {
        throw Failure("no display can be guessed for \(device.description.name.printable())")
      }
      lines.append(json(touch, device, placement).text)
    }
    return lines
  }

  private func json(
    _ touch: DecodedTouch, _ device: Device, _ placement: Placement
  ) -> JSONValue {
    [
      "touch": .integer(touch.id.value), "device": .string(device.description.name.printable()),
      "slot": .integer(touch.slot), "trackingId": touch.trackingID.map { .integer($0) } ?? .null,
      "began": json(touch.began, placement), "ended": json(touch.last, placement),
      "end": .string(touch.end.rawValue), "samples": .integer(touch.samples),
    ]
  }

  private func json(_ sample: DecodedTouch.Sample, _ placement: Placement) -> JSONValue {
    let location = placement.locate(rawX: sample.rawX, rawY: sample.rawY)
    return [
      "time": .number(secondsText(sample.time - start)),
      "rawX": .integer(sample.rawX), "rawY": .integer(sample.rawY),
      "x": .real(location.point.x), "y": .real(location.point.y),
      "column": .integer(location.block.column), "row": .integer(location.block.row),
    ]
  }
}

/// Returns microseconds as seconds with six decimals.
func secondsText(_ microseconds: Int64) -> String {
  let magnitude = microseconds.magnitude
  let sign = microseconds < 0 ? "-" : ""
  return "\(sign)\(magnitude / 1_000_000).\(padded(magnitude % 1_000_000, 6))"
}
