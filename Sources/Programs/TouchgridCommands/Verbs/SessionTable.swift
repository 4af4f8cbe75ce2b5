import Heatmaps
import Text
import TouchModel
import TouchgridAPI

struct ListedSession {
  /// The session without views and grids.
  var record: SessionRecord

  var duration: UInt64 {
    let (elapsed, overflows) = record.lastActive.milliseconds
      .subtractingReportingOverflow(record.began.milliseconds)
    return overflows ? 0 : UInt64(max(0, elapsed))
  }
  var ending: String { record.end?.words ?? "running" }
  var tags: String {
    record.tags.sorted { $0.key < $1.key }
      .map { "\($0.key.printable())=\($0.value.printable())" }.joined(separator: " ")
  }
}

extension SessionEnd {
  /// The reason as text: `rawValue` with spaces.
  var words: String { self == .maxDuration ? "max duration" : rawValue }
}

/// Sessions as a table or as JSON, with the sum of their totals.
struct SessionTable {
  private let sessions: [ListedSession]
  private let totals: SessionTotals

  init(_ sessions: [ListedSession]) {
    self.sessions = sessions
    totals = sessions.reduce(into: SessionTotals()) { $0.add($1.record.totals) }
  }

  func lines(width: Int) -> [String] {
    let table = TextTable(
      [
        .init("ID", isNumber: true), .init("BEGAN"), .init("DURATION", isNumber: true),
        .init("TOUCHES", isNumber: true), .init("ENDED"), .init("TAGS", canShrink: true),
      ],
      rows: sessions.map { listed in
        [
          String(listed.record.id), LocalTime(listed.record.began)?.text ?? "?",
          durationText(milliseconds: listed.duration), String(listed.record.totals.begun),
          listed.ending, listed.tags,
        ]
      })
    let totalsLine =
      "\(counted(UInt64(sessions.count), "session")): \(totals.equation)"
      + (totals.isBalanced ? "" : " - THE TOTALS DO NOT ADD UP")
    return table.lines(width: width) + wrapped(totalsLine, to: width)
      + wrapped(totals.notes, to: width)
  }

  /// The reply of `ListSessions` of io.touchgrid, with the sum of the totals.
  var json: JSONReply {
    JSONReply(
      sessions: sessions.map { API.Session($0.record) }, totals: API.Totals(totals),
      balances: totals.isBalanced)
  }

  struct JSONReply: Encodable {
    var sessions: [API.Session]
    var totals: API.Totals
    var balances: Bool
  }
}

extension SessionTotals {
  /// Adds totals. A sum that would overflow stays at its maximum, because a store may be malicious.
  mutating func add(_ other: SessionTotals) {
    for field in Self.fields {
      let (sum, overflows) = self[keyPath: field]
        .addingReportingOverflow(other[keyPath: field])
      self[keyPath: field] = overflows ? .max : sum
    }
  }

  /// Whether the totals add up. Unlike the property of the same name in `TouchModel`, this adds
  /// with 128 bits, so that the sum cannot overflow.
  fileprivate var isBalanced: Bool {
    let parts = [counted, masked, palms, ghosts, swallowed, stillDown]
    return UInt128(begun) == parts.reduce(UInt128(0)) { $0 + UInt128($1) }
  }

  fileprivate var equation: String {
    "\(begun) begun = \(counted) counted + \(masked) masked + \(palms) palms + "
      + "\(ghosts) ghosts + \(swallowed) swallowed + \(stillDown) still down"
  }

  /// The counters that are not part of the sum, as text, without those that are 0.
  fileprivate var notes: String {
    [
      (cancelled, "touch\(cancelled == 1 ? "" : "es") cancelled"),
      (preexisting, "touch\(preexisting == 1 ? "" : "es") down before the recording"),
      (clamped, "sample\(clamped == 1 ? "" : "s") clamped to an edge"),
      (drops, "loss\(drops == 1 ? "" : "es") of events"),
    ]
    .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  private static var fields: [WritableKeyPath<SessionTotals, UInt64>] {
    [
      \.begun, \.counted, \.masked, \.palms, \.ghosts, \.swallowed, \.stillDown,
      \.preexisting, \.cancelled, \.clamped, \.drops,
    ]
  }
}
