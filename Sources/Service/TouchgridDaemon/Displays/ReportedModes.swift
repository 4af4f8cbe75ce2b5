internal import TouchModel

/// The modes in which compositors drive displays, as clients report them. A report holds until the
/// client reports another mode or withdraws it, or has been disconnected for some seconds.
struct ReportedModes: Sendable {
  typealias Size = Configuration.Display.Size

  /// The most displays of which one client may report modes.
  static let limit = 16

  private struct Report {
    var client: ClientID
    var display: String
    var size: Size
  }

  /// In the order of their arrival.
  private var reports: [Report] = []

  /// Returns the mode that was reported last; nil if there is none.
  func size(of display: String) -> Size? { reports.last { $0.display == display }?.size }

  /// Returns all modes of a display that connected clients report.
  func sizes(of display: String) -> [Size] {
    reports.filter { $0.display == display && leaving[$0.client] == nil }.map(\.size)
  }

  /// Returns the mode that a client has reported of a display.
  func size(of display: String, by client: ClientID) -> Size? {
    reports.first { $0.client == client && $0.display == display }?.size
  }

  /// Replaces the mode that a client reports of a display.
  /// - Parameter size: the mode; nil withdraws it.
  /// - Returns: false if the client has reported modes of too many displays.
  mutating func set(_ size: Size?, of display: String, by client: ClientID) -> Bool {
    reports.removeAll { $0.client == client && $0.display == display }
    guard let size else { return true }
    guard reports.count(where: { $0.client == client }) < Self.limit else { return false }
    reports.append(Report(client: client, display: display, size: size))
    return true
  }

  /// How long the reports of a disconnected client hold, in µs: longer than the service manager
  /// takes to start a follower again (`RestartSec`).
  static let grace: Int64 = 10_000_000

  /// The disconnected clients, and when their reports end, on `CLOCK_BOOTTIME`.
  private var leaving: [ClientID: Timestamp] = [:]
  /// When `removeExpired` is next needed, on `CLOCK_BOOTTIME`.
  private(set) var nextExpiry: Timestamp?

  /// A client has disconnected.
  mutating func release(_ client: ClientID, at time: Timestamp) {
    guard reports.contains(where: { $0.client == client }) else { return }
    leaving[client] = time + Self.grace
    nextExpiry = leaving.values.min()
  }

  /// Removes the reports that have ended.
  /// - Returns: the displays that they were about.
  mutating func removeExpired(at time: Timestamp) -> Set<String> {
    let expired = Set(leaving.filter { $0.value <= time }.keys)
    let displays = reports.filter { expired.contains($0.client) }.map(\.display)
    reports.removeAll { expired.contains($0.client) }
    leaving = leaving.filter { $0.value > time }
    nextExpiry = leaving.values.min()
    return Set(displays)
  }
}
