internal import TouchModel

/// The modes in which compositors drive displays, as reported by clients. A report is valid until
/// the client reports another mode or withdraws it, or has been disconnected for `grace`.
struct ReportedModes: Sendable {
  typealias Size = Configuration.Display.Size

  /// The maximum number of displays for which one client may report modes.
  static let limit = 16

  private struct Report {
    var client: ClientID
    var display: String
    var size: Size
  }

  /// In order of arrival.
  private var reports: [Report] = []

  /// Returns the mode that was last reported for a display; nil if there is none. Includes valid
  /// reports of disconnected clients.
  func size(of display: String) -> Size? { reports.last { $0.display == display }?.size }

  /// Returns all modes that connected clients report for a display.
  func sizes(of display: String) -> [Size] {
    reports.filter { $0.display == display && leaving[$0.client] == nil }.map(\.size)
  }

  /// Returns the mode that a client reports for a display; nil if it reports none.
  func size(of display: String, by client: ClientID) -> Size? {
    reports.first { $0.client == client && $0.display == display }?.size
  }

  /// Sets or withdraws the mode that a client reports for a display.
  /// - Parameter size: the mode; nil withdraws the report.
  /// - Returns: false if the client already reports modes for `limit` other displays.
  mutating func set(_ size: Size?, of display: String, by client: ClientID) -> Bool {
    reports.removeAll { $0.client == client && $0.display == display }
    guard let size else { return true }
    guard reports.count(where: { $0.client == client }) < Self.limit else { return false }
    reports.append(Report(client: client, display: display, size: size))
    return true
  }

  /// The time for which reports of a disconnected client stay valid, in µs: longer than the service
  /// manager takes to restart a follower (`RestartSec`).
  static let grace: Int64 = 10_000_000

  /// The disconnected clients, and the times at which their reports expire, on `CLOCK_BOOTTIME`.
  private var leaving: [ClientID: Timestamp] = [:]
  /// The time of the next `removeExpired`, on `CLOCK_BOOTTIME`; nil if none is needed.
  private(set) var nextExpiry: Timestamp?

  /// Handles a client's disconnection: its reports expire after `grace`.
  mutating func release(_ client: ClientID, at time: Timestamp) {
    guard reports.contains(where: { $0.client == client }) else { return }
    leaving[client] = time + Self.grace
    nextExpiry = leaving.values.min()
  }

  /// Removes the reports that have expired.
  /// - Returns: the displays of the reports.
  mutating func removeExpired(at time: Timestamp) -> Set<String> {
    let expired = Set(leaving.filter { $0.value <= time }.keys)
    let displays = reports.filter { expired.contains($0.client) }.map(\.display)
    reports.removeAll { expired.contains($0.client) }
    leaving = leaving.filter { $0.value > time }
    nextExpiry = leaving.values.min()
    return Set(displays)
  }
}
