public import TouchModel

extension Recording {
  /// The events as a panel without calibration would send them for touches at the same places.
  /// Unchanged if the recording has no calibration, or one that is not six numbers.
  public var calibratedEvents: [InputEvent] {
    guard let matrix = calibration.flatMap({ CalibrationMatrix($0) }), matrix != .identity else {
      return events
    }
    var events = CalibratedEvents(matrix, axes: description.axes)
    if let slot = initialValues[AbsCode.mtSlot] { events.select(slot) }
    for event in self.events { events.add(event) }
    return events.result
  }
}

/// Replaces the positions in a stream of events. A calibration mixes both axes, and panels report
/// only the axis that changes: so each change gives both.
private struct CalibratedEvents {
  /// A pair of axes with positions.
  private struct Pair {
    var x: UInt16
    var y: UInt16
    var rangeX: AxisInfo
    var rangeY: AxisInfo

    init?(_ x: UInt16, _ y: UInt16, _ axes: [UInt16: AxisInfo]) {
      guard let rangeX = axes[x], let rangeY = axes[y], rangeX.minimum < rangeX.maximum,
        rangeY.minimum < rangeY.maximum
      else { return nil }
      (self.x, self.y, self.rangeX, self.rangeY) = (x, y, rangeX, rangeY)
    }
  }

  private(set) var result: [InputEvent] = []
  private let matrix: CalibrationMatrix
  private let multitouch: Pair?
  private let single: Pair?
  /// The positions by slot; nil is the key of the single-touch axes.
  private var positions: [Int32?: (x: Int32, y: Int32)] = [:]
  private var slot: Int32 = 0
  /// For each pair, its last position event that is not yet in `result`.
  private var pendingMultitouch: InputEvent?
  private var pendingSingle: InputEvent?

  init(_ matrix: CalibrationMatrix, axes: [UInt16: AxisInfo]) {
    self.matrix = matrix
    multitouch = Pair(AbsCode.mtPositionX, AbsCode.mtPositionY, axes)
    single = Pair(AbsCode.x, AbsCode.y, axes)
  }

  mutating func select(_ slot: Int32) { self.slot = slot }

  mutating func add(_ event: InputEvent) {
    if event.type == EventType.abs {
      if let multitouch, event.code == multitouch.x || event.code == multitouch.y {
        note(event, isX: event.code == multitouch.x, at: slot)
        pendingMultitouch = event
        return
      }
      if let single, event.code == single.x || event.code == single.y {
        note(event, isX: event.code == single.x, at: nil)
        pendingSingle = event
        return
      }
    }
    if event.type == EventType.syn || event.type == EventType.abs && event.code == AbsCode.mtSlot {
      flush()
    }
    if event.type == EventType.abs, event.code == AbsCode.mtSlot { slot = event.value }
    result.append(event)
  }

  private mutating func note(_ event: InputEvent, isX: Bool, at key: Int32?) {
    var position = positions[key] ?? (0, 0)
    if isX { position.x = event.value } else { position.y = event.value }
    positions[key] = position
  }

  private mutating func flush() {
    if let event = pendingMultitouch, let multitouch { append(multitouch, at: slot, like: event) }
    if let event = pendingSingle, let single { append(single, at: nil, like: event) }
    (pendingMultitouch, pendingSingle) = (nil, nil)
  }

  private mutating func append(_ pair: Pair, at key: Int32?, like event: InputEvent) {
    let (x, y) = positions[key] ?? (0, 0)
    let point = matrix.apply(pair.rangeX.placed.normalised(x), pair.rangeY.placed.normalised(y))
    for (code, value) in [
      (pair.x, pair.rangeX.value(of: point.x)), (pair.y, pair.rangeY.value(of: point.y)),
    ] {
      result.append(InputEvent(time: event.time, type: event.type, code: code, value: value))
    }
  }
}

extension AxisInfo {
  fileprivate var placed: Placement.Range { Placement.Range(minimum: minimum, maximum: maximum) }

  /// The raw value of a normalised position. 1 is the maximum itself, which is on the edge.
  fileprivate func value(of position: Double) -> Int32 {
    let size = Double(maximum) - Double(minimum) + 1
    let value = (Double(minimum) + position * size).rounded()
    if value == Double(maximum) + 1 { return maximum }
    // A huge matrix can also give NaN, which is not a position.
    return value.isNaN ? minimum : Int32(max(-2_147_483_648, min(2_147_483_647, value)))
  }
}
