import Reports
import Storage
import TouchModel
import TouchgridAPI

extension Past {
  /// Returns the sessions of a span, oldest first, without views and grids.
  /// - Parameter tags: selects the sessions that have all of these tags.
  func heads(in span: TimeSpan, tags: [String: String]) throws -> [SessionRecord] {
    switch self {
    case .daemon(let daemon):
      let method = API.ListSessions(span: API.Span(span), tags: tags.isEmpty ? nil : tags)
      return try daemon.replies(to: method).flatMap(\.sessions).map(\.sessionRecord)
    case .file(let store):
      return try store.sessions(in: span, tags: tags).map(\.record)
    }
  }

  /// Returns the touchscreens that the daemon reads or, for a store's file, the touchscreens of the
  /// displays that showed screens in the span, sorted by key.
  func reportedDevices(in span: TimeSpan) throws -> [Report.Device] {
    switch self {
    case .daemon(let daemon):
      return try daemon.call(API.GetDevices()).devices.map { Report.Device($0) }
    case .file(let store):
      var displays: [String: Set<String>] = [:]
      for placement in try store.screens(in: span).flatMap(\.placements) {
        displays[placement.device, default: []]
          .insert("\(placement.display) (\(placement.displaySource.rawValue))")
      }
      return displays.sorted { $0.key < $1.key }.map { key, displays in
        Report.Device(key: key, name: nil, displays: displays.sorted(), tally: nil)
      }
    }
  }
}
