import Text
import TouchModel

extension Recording {
  /// The recording as an evemu file of version 1.3, for `evemu-device`, `evemu-play` and
  /// `read(path:)`. The description omits types above 0x1f, axes above 0xff and other codes above
  /// 0x2ff, and has `?` for each unprintable character in the name, because of the format's limits.
  public var evemuText: String {
    var text = "# EVEMU 1.3\n"
    text += "# Input device name: \"\(evemuName(description.name))\"\n"
    if !initialValues.isEmpty {
      text += "#   Event type \(EventType.abs) (EV_ABS)\n"
      for (code, value) in initialValues.sorted(by: { $0.key < $1.key }) {
        text += "#     Event code \(code)\n#       Value \(value)\n"
      }
    }
    if let matrix = calibration.flatMap({ CalibrationMatrix($0) }) {
      text += "# touchgrid-calibration \(matrix.text)\n"
    }
    text += descriptionText
    var cues = screens.sorted { $0.time < $1.time }[...]
    for event in events {
      while let cue = cues.first, cue.time <= event.time {
        text += cue.evemuText
        cues.removeFirst()
      }
      text += event.evemuText
    }
    for cue in cues { text += cue.evemuText }
    return text
  }

  private var descriptionText: String {
    let device = description
    let id = device.identifiers
    var text = "N: \(evemuName(device.name))\n"
    let numbers = [id.bus, id.vendor, id.product, id.version]
    text += "I: \(numbers.map { hex($0, 4) }.joined(separator: " "))\n"
    text += maskLines("P:", device.properties)

    var codes = device.codes.filter { $0.key < 0x20 && $0.key != EventType.syn }
    let axes = device.axes.filter { $0.key <= 0xff }
    if !axes.isEmpty { codes[EventType.abs] = Set(axes.keys) }
    text += maskLines("B: 00", Set(codes.keys).union([EventType.syn]))
    for (type, codes) in codes.sorted(by: { $0.key < $1.key }) {
      text += maskLines("B: \(hex(type, 2))", codes)
    }
    for (code, axis) in axes.sorted(by: { $0.key < $1.key }) {
      text += "A: \(hex(code, 2)) \(axis.minimum) \(axis.maximum) \(axis.fuzz) \(axis.flat) "
      text += "\(axis.resolution)\n"
    }
    return text
  }
}

/// Returns the lines for a mask: eight bytes each, and at least one line.
private func maskLines(_ start: String, _ codes: Set<UInt16>) -> String {
  let codes = codes.filter { $0 < 0x300 }
  var bytes = [UInt8](repeating: 0, count: (Int(codes.max() ?? 0) / 64 + 1) * 8)
  for code in codes { bytes[Int(code) / 8] |= 1 << (code % 8) }
  return stride(from: 0, to: bytes.count, by: 8).map { first in
    let line = bytes[first..<first + 8].map { hex(UInt16($0), 2) }.joined(separator: " ")
    return "\(start) \(line)\n"
  }.joined()
}

extension InputEvent {
  /// The line of the event. Negative seconds are rounded down and written as an unsigned number, as
  /// C's `%lu` does; the microseconds are never negative.
  fileprivate var evemuText: String {
    let (seconds, micro) = time.split
    // Pads to four characters, including the sign, as C's `%04d` does.
    let number = value < 0 ? "-" + padded(value.magnitude, 3) : padded(value, 4)
    return "E: \(UInt64(bitPattern: seconds)).\(padded(micro, 6)) "
      + "\(hex(type, 4)) \(hex(code, 4)) \(number)\n"
  }
}

extension ScreenCue {
  fileprivate var evemuText: String {
    let magnitude = time.microseconds.magnitude
    let sign = time.microseconds < 0 ? "-" : ""
    let fraction = padded(magnitude % 1_000_000, 6)
    return "# touchgrid-screen \(sign)\(magnitude / 1_000_000).\(fraction) \(screen)\n"
  }
}

extension Timestamp {
  /// Whole seconds, rounded down, and the remaining microseconds.
  fileprivate var split: (seconds: Int64, microseconds: Int64) {
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return remainder < 0 ? (quotient - 1, remainder + 1_000_000) : (quotient, remainder)
  }
}

/// Returns at least `width` hexadecimal digits.
func hex(_ value: UInt16, _ width: Int) -> String { padded(value, width, radix: 16) }
