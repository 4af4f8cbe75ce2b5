import Reports
import Storage
import Text
import TouchModel
import TouchgridAPI

/// Collects the counts of touchscreens for each day, and judges them.
struct PanelGathering {
  let past: Past
  var span = TimeSpan.always
  /// The tag of sessions that names the layout of the app's screens.
  var layoutTag = PanelGathering.standardLayoutTag
  var now = WallTime.now

  static let standardLayoutTag = "build"

  /// Returns the state of each touchscreen, in the order in which they were first touched, without
  /// replaced ones.
  /// - Parameter device: the only device, by its key or its name; nil for all.
  func states(of device: String? = nil) throws -> [PanelState] {
    let known = try PanelAttachments(past, in: span)
    let counted = Dictionary(grouping: try past.panels(of: .span(span))) { $0.key }
    let keys = counted.keys.sorted { first($0, counted) < first($1, counted) }
    let silent = known.attached.filter { attached in !keys.contains { attached.isSame(as: $0) } }
    let panels = (keys + silent.map(\.key)).filter { key in
      guard let device else {
        return !hasOtherAxes(key, counted) && (known.isAttached(key) || !isReplaced(key, counted))
      }
      return key.device.hasSameBytes(as: device) || known[key.device]?.name == device
    }
    if let device, panels.isEmpty { throw unknown(device, keys + silent.map(\.key), known) }
    var history = try PanelHistory(past, in: span, layoutTag: layoutTag, now: now)
    if Set(keys.map(Self.kiosk)).count > 1 { history.forgetSessions() }
    let countedDays = Set(counted.values.flatMap { $0.map(\.day) })
    return panels.map { key in
      let own = known[key.device]
      let display = own?.display ?? (panels.count == 1 ? history.onlyDisplay : nil)
      return PanelState(
        key, name: own?.name, sight: own?.sight, placement: own?.placement,
        days: history.days(
          of: counted[key] ?? [], countedDays: countedDays,
          offsetsOn: display.flatMap { known.devices(on: $0) > 1 ? nil : $0 },
          strayGhosts: history.strayGhosts(of: key)),
        wrongRanges: known.isAttached(key) ? own?.wrongRanges ?? [] : [])
    }
  }

  private func first(_ key: PanelKey, _ counted: [PanelKey: [SummedPanel]]) -> String {
    (counted[key]?.map(\.day).min() ?? "") + " \(key.device) \(key.x) \(key.y)"
  }

  /// Whether another panel of the kiosk was first touched after the last touch of this one.
  private func isReplaced(_ key: PanelKey, _ counted: [PanelKey: [SummedPanel]]) -> Bool {
    guard let last = counted[key]?.map(\.day).max() else { return false }
    return counted.contains { other, days in
      guard other != key, Self.kiosk(of: other) == Self.kiosk(of: key),
        let first = days.map(\.day).min()
      else { return false }
      return first > last
    }
  }

  /// Whether the device has had other axes since this panel was last touched.
  private func hasOtherAxes(_ key: PanelKey, _ counted: [PanelKey: [SummedPanel]]) -> Bool {
    guard let last = counted[key]?.map(\.day).max() else { return false }
    return counted.contains { other, days in
      other != key && other.device.hasSameBytes(as: key.device)
        && days.contains { $0.day > last }
    }
  }

  /// The prefix that `touchgrid import` adds to the keys of several kiosks.
  private static func kiosk(of key: PanelKey) -> String {
    let start = key.device.prefix { $0 != "/" }
    // The device's own location may contain a "/", too.
    return start.count == key.device.count || start.contains("@") ? "" : String(start)
  }

  private func unknown(_ device: String, _ keys: [PanelKey], _ known: PanelAttachments) -> Failure {
    let names = Set(keys.map(\.device)).sorted().map { key in
      "  \(key.printable(limit: 300))"
        + (known[key]?.name.map { " (\($0.printable(limit: 300)))" } ?? "")
    }
    return Failure(
      names.isEmpty
        ? "no touchscreen was touched in this time"
        : "there is no touchscreen '\(device.printable(limit: 300))'; name one of these:\n"
          + names.joined(separator: "\n"))
  }
}

/// The touchscreens that the daemon reads, or that touched the store's screens.
struct PanelAttachments {
  struct Device {
    var key: PanelKey
    var name: String?
    var display: String
    /// Its place on the display; nil if it is unknown.
    var placement: Placement?
    var sight: PanelSight? { placement.map { PanelSight($0.matrix, $0.geometry.rotation) } }
    var wrongRanges: [WrongRange] = []

    /// Whether a panel is that of the device. Ignores the resolution of axes, which the daemon does
    /// not report.
    func isSame(as other: PanelKey) -> Bool {
      func isSame(_ own: PanelAxis, _ other: PanelAxis) -> Bool {
        own.minimum == other.minimum && own.maximum == other.maximum
      }
      return key.device.hasSameBytes(as: other.device) && isSame(key.x, other.x)
        && isSame(key.y, other.y)
    }
  }

  /// All known devices. Those of a store may no longer be connected.
  private var devices: [ExactName: Device] = [:]
  /// The devices that are connected; empty for a store's file.
  private(set) var attached: [Device] = []

  init(_ past: Past, in span: TimeSpan) throws {
    switch past {
    case .daemon(let daemon):
      // Call this first: if the user lacks the role "read", its error names that role. The error of
      // the next call would name "app".
      let devices = try daemon.call(API.GetDevices()).devices
      let displays = try daemon.call(API.GetDisplays()).displays
      attached = devices.compactMap { device in
        let geometry = displays.first { $0.name == device.display }?.geometry.displayGeometry
        guard let x = PanelAxis(device.x), let y = PanelAxis(device.y) else { return nil }
        let placement = device.calibration.flatMap { matrix in
          geometry.map {
            Placement(
              device: device.key, x: .init(minimum: x.minimum, maximum: x.maximum),
              y: .init(minimum: y.minimum, maximum: y.maximum), matrix: matrix,
              display: device.display, geometry: $0, displaySource: device.displaySource)
          }
        }
        return Device(
          key: PanelKey(device: device.key, x: x, y: y), name: device.name,
          display: device.display, placement: placement, wrongRanges: device.wrongRanges())
      }
      for device in attached { self.devices[ExactName(device.key.device)] = device }
    case .file(let store):
      for placement in try store.screens(in: span).flatMap(\.placements) {
        let key = PanelKey(
          device: placement.device, x: PanelAxis(placement.x), y: PanelAxis(placement.y))
        var device = Device(
          key: key, name: nil, display: placement.display, placement: placement)
        // If a device had two orientations, the newer one is unknown.
        if let former = devices[ExactName(placement.device)], former.sight != device.sight {
          device.placement = nil
        }
        devices[ExactName(placement.device)] = device
      }
    }
  }

  subscript(key: String) -> Device? { devices[ExactName(key)] }

  func isAttached(_ key: PanelKey) -> Bool { attached.contains { $0.isSame(as: key) } }

  func devices(on display: String) -> Int {
    devices.values.count { $0.display.hasSameBytes(as: display) }
  }
}

extension PanelAxis {
  fileprivate init(_ range: Placement.Range) {
    self.init(minimum: range.minimum, maximum: range.maximum)
  }

  /// - Returns: nil if the daemon sent an invalid range.
  fileprivate init?(_ range: API.Range) {
    guard let minimum = Int32(exactly: range.minimum), let maximum = Int32(exactly: range.maximum)
    else { return nil }
    self.init(minimum: minimum, maximum: maximum)
  }
}
