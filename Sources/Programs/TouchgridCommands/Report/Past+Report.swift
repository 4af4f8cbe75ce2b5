import Reports
import Storage
import TouchModel
import TouchgridAPI

extension Past {
  /// Returns the touchscreens that the daemon reads or, for a store's file, the touchscreens of the
  /// displays that showed screens in the span, sorted by key.
  func reportedDevices(
    in span: TimeSpan, on filter: SessionFilter
  ) throws -> [Report.Device] {
    switch self {
    case .daemon(let daemon):
      return try daemon.call(API.GetDevices()).devices.map { Report.Device($0) }
    case .file(let store):
      var displays: [String: Set<String>] = [:]
      for placement in try store.screens(in: span, on: filter.weekdays).flatMap(\.placements) {
        displays[placement.device, default: []]
          .insert("\(placement.display) (\(placement.displaySource.rawValue))")
      }
      return displays.sorted { $0.key < $1.key }.map { key, displays in
        Report.Device(key: key, name: nil, displays: displays.sorted(), tally: nil)
      }
    }
  }
}
