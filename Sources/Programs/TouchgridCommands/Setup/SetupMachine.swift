import Text
import TouchInput
import TouchModel
import TouchgridAPI

/// The touchscreens and displays of this machine, as the daemon sees them.
struct SetupMachine {
  var touchscreens: [API.Device] = []
  var displays: [API.Display] = []
  /// The displays that the kernel's graphics drivers report.
  var connectors: [DRMConnector] = []
}

extension SetupMachine {
  /// Queries the daemon. Without a daemon there are no touchscreens.
  init(_ daemon: DaemonConnection?) throws(Failure) {
    connectors = DRMConnector.connected()
    guard let daemon else { return }
    touchscreens = try daemon.call(API.GetDevices()).devices
    displays = try daemon.call(API.GetDisplays()).displays
  }

  /// The names of the displays: from the connectors, or without any, from the daemon.
  var displayNames: [String] {
    connectors.isEmpty ? displays.map(\.name) : connectors.map(\.name)
  }

  func touchscreen(_ key: String) -> API.Device? { touchscreens.first { $0.key == key } }

  /// The placement of a touchscreen, as the daemon applies it; nil if its reply is out of range.
  func placement(of touchscreen: API.Device) -> Placement? {
    guard let display = displays.first(where: { $0.name == touchscreen.display }),
      let geometry = display.geometry.displayGeometry, let matrix = touchscreen.calibration,
      let x = touchscreen.x.placementRange, let y = touchscreen.y.placementRange
    else { return nil }
    return Placement(
      device: touchscreen.key, x: x, y: y, matrix: matrix, display: display.name,
      geometry: geometry, displaySource: touchscreen.displaySource)
  }
}

extension API.Device {
  /// The axes whose values lie far outside of their ranges.
  /// - Parameter extent: values that were read from the touchscreen directly.
  func wrongRanges(_ extent: RawExtent? = nil) -> [WrongRange] {
    guard let x = self.x.placementRange, let y = self.y.placementRange else { return [] }
    let (sentX, sentY) = (self.sentX?.placementRange ?? x, self.sentY?.placementRange ?? y)
    var sent = RawExtent(x: sentX.minimum, y: sentY.minimum)
    sent.include(x: sentX.maximum, y: sentY.maximum)
    if let extent { sent.include(extent) }
    return WrongRange.all(x: x, y: y, isConfigured: rangeSource == .configuration, sent: sent)
  }

  /// The calibration that the daemon applies; nil if it is out of range.
  var calibration: CalibrationMatrix? {
    CalibrationMatrix(matrix.map { "\($0)" }.joined(separator: " "))
  }

  /// The corner of the touchscreen that is nearest to a raw position; nil if its ranges are invalid.
  func corner(nearest x: Int32, _ y: Int32) -> PanelOrientation.Corner? {
    guard let across = self.x.placementRange, let down = self.y.placementRange else { return nil }
    return PanelOrientation.Corner(nearest: across.normalised(x), down.normalised(y))
  }
}

extension API.Range {
  fileprivate var placementRange: Placement.Range? {
    guard let minimum = Int32(exactly: minimum), let maximum = Int32(exactly: maximum),
      minimum < maximum
    else { return nil }
    return Placement.Range(minimum: minimum, maximum: maximum)
  }
}
