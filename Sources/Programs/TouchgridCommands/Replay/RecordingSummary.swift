import Heatmaps
import Recordings
import Text
import TouchModel

extension DecodedRecording {
  /// Returns a summary of the recording as text for users.
  func summary(path: String, width: Int) -> [String] {
    let facts = devices.indices.flatMap { devices[$0].facts + touchFacts($0) } + fileFacts
    return FactSheet(title: path.printable(limit: 4096), facts: facts).lines(width: width)
  }

  private func touchFacts(_ index: Int) -> [(name: String, value: String)] {
    let own = touches.filter { $0.device == index }
    let device = devices[index]
    var facts = [("touches", touchCounts(own, device))]
    let lengths = own.filter { $0.end != .open }
      .map { max(0, $0.last.time - $0.began.time) }.sorted()
    if let shortest = lengths.first, let longest = lengths.last {
      let median = lengths[lengths.count / 2]
      let text =
        "\(seconds(shortest)) the shortest, \(seconds(median)) the median, "
        + "\(seconds(longest)) the longest"
      facts.append(("length", text))
    }
    let problems = problems(device)
    if !problems.isEmpty { facts.append(("problems", problems.joined(separator: ", "))) }
    for wrong in device.wrongRanges {
      facts += [("wrong range", wrong.text), ("what to do", wrong.remedy)]
    }
    return facts
  }

  private func touchCounts(_ own: [DecodedTouch], _ device: Device) -> String {
    let palms = own.count { $0.isPalm }
    let notes = [
      (palms, "palms"), (own.count { $0.end == .cancelled } - palms, "cancelled"),
      (own.count { $0.end == .open }, "still down at the end"),
    ]
    let counts = notes.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return (["\(own.count), at most \(device.mostAtOnce) at once"] + counts).joined(separator: "; ")
  }

  private func problems(_ device: Device) -> [String] {
    var problems: [String] = []
    if device.drops > 0 {
      problems.append("the kernel lost events \(counted(UInt64(device.drops), "time"))")
    }
    if device.invalidSlotEvents > 0 {
      problems.append(
        "\(counted(UInt64(device.invalidSlotEvents), "event")) for more touches at once than the "
          + "device has")
    }
    if device.placement == nil { problems.append("no display can be guessed") }
    return problems
  }

  private var fileFacts: [(name: String, value: String)] {
    var facts = [("duration", seconds(end - start))]
    if !screens.isEmpty {
      var names: [String] = []
      for cue in screens where !names.contains(cue.screen) { names.append(cue.screen) }
      let list = names.map { $0.printable() }.joined(separator: ", ")
      facts.append(("screens", "\(list) (\(counted(UInt64(screens.count), "change")))"))
    }
    for device in refused {
      facts.append(("left out", "\(device.name.printable()): \(device.cause)"))
    }
    return facts
  }

  /// Returns a machine-readable summary of the recording.
  func summaryJSON(path: String) -> JSONValue {
    [
      "recording": .string(path), "durationUs": .integer(end - start),
      "devices": .array(devices.indices.map { json($0) }),
      "screens": .array(
        screens.map {
          ["time": .number(secondsText($0.time - start)), "screen": .string($0.screen)]
        }),
      "refused": .array(
        refused.map {
          ["device": .string($0.name.printable()), "cause": .string($0.cause.description)]
        }),
    ]
  }

  private func json(_ index: Int) -> JSONValue {
    let device = devices[index]
    let own = touches.filter { $0.device == index }
    return [
      "device": .string(device.description.name.printable()),
      "protocol": .string(device.contactProtocol.kind.name),
      "slots": device.contactProtocol.kind.slots.map { .integer($0) } ?? .null,
      "x": device.contactProtocol.x.json, "y": device.contactProtocol.y.json,
      "calibration": device.calibration.map { .string($0.text) } ?? .null,
      "geometry": device.placement?.geometry.json ?? .null,
      "events": .integer(device.events), "frames": .integer(device.frames),
      "touches": .integer(own.count), "mostAtOnce": .integer(device.mostAtOnce),
      "palms": .integer(own.count { $0.isPalm }),
      "cancelled": .integer(own.count { $0.end == .cancelled && !$0.isPalm }),
      "open": .integer(own.count { $0.end == .open }),
      "drops": .integer(device.drops), "invalidSlotEvents": .integer(device.invalidSlotEvents),
    ]
  }
}

extension DecodedRecording.Device {
  fileprivate var wrongRanges: [WrongRange] {
    func range(_ axis: AxisInfo) -> Placement.Range {
      Placement.Range(minimum: axis.minimum, maximum: axis.maximum)
    }
    return WrongRange.all(
      x: range(contactProtocol.x), y: range(contactProtocol.y), sent: extent)
  }

  /// nil for none.
  fileprivate var calibration: CalibrationMatrix? {
    placement.flatMap { $0.matrix == .identity ? nil : $0.matrix }
  }

  fileprivate var facts: [(name: String, value: String)] {
    let id = description.identifiers
    let numbers = [id.bus, id.vendor, id.product].map { padded($0, 4, radix: 16) }
    let display = placement.map { $0.geometry.sentence + " (a guess)" } ?? "none can be guessed"
    let matrix = calibration.map { [("calibration", "\($0.text) (from udev, when recorded)")] }
    return [
      ("device", "\(description.name.printable()) (\(numbers.joined(separator: ":")))"),
      ("protocol", contactProtocol.kind.words),
      ("ranges", "x \(contactProtocol.x.words), y \(contactProtocol.y.words)"),
    ] + (matrix ?? []) + [
      ("display", display),
      ("frames", "\(frames), of \(counted(UInt64(events), "event"))"),
    ]
  }
}

extension ContactProtocol.Kind {
  fileprivate var words: String {
    switch self {
    case .slots(let count):
      "multitouch B, up to \(counted(UInt64(count), "touch", "touches")) at once"
    case .anonymous: "multitouch A"
    case .single: "single touch"
    }
  }

  fileprivate var name: String {
    switch self {
    case .slots: "B"
    case .anonymous: "A"
    case .single: "single"
    }
  }

  fileprivate var slots: Int? { if case .slots(let count) = self { count } else { nil } }
}

extension AxisInfo {
  fileprivate var words: String {
    "\(minimum) to \(maximum)" + (resolution > 0 ? " (\(resolution) per mm)" : "")
  }

  fileprivate var json: JSONValue {
    [
      "minimum": .integer(minimum), "maximum": .integer(maximum),
      "resolution": .integer(resolution),
    ]
  }
}

private func seconds(_ microseconds: Int64) -> String {
  "\(roundedDigits(Double(microseconds) / 1e6)) s"
}
