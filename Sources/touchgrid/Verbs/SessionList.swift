import GridFormats
import Storage
import TouchModel

/// A session with what it showed.
struct ListedSession {
  var session: StoredSession
  var views: [ScreenView]

  /// Names, each once.
  var screens: Int { Set(views.map(\.key.screen)).count }
  var duration: UInt64 {
    let record = session.record
    let (elapsed, overflows) = record.lastActive.milliseconds
      .subtractingReportingOverflow(record.began.milliseconds)
    return overflows ? 0 : UInt64(max(0, elapsed))
  }
  var ending: String { session.record.end?.words ?? "running" }
  var tags: String {
    session.record.tags.sorted { $0.key < $1.key }
      .map { "\($0.key.printable())=\($0.value.printable())" }.joined(separator: " ")
  }
}

extension SessionEnd {
  /// As in `rawValue`, with spaces.
  var words: String { self == .maxDuration ? "max duration" : rawValue }
}

/// Sessions as a table or as JSON, with the sums of their books.
struct SessionList {
  private let sessions: [ListedSession]
  private let totals: SessionTotals

  init(_ sessions: [ListedSession]) {
    self.sessions = sessions
    totals = sessions.reduce(into: SessionTotals()) { $0.add($1.session.record.totals) }
  }

  func lines(width: Int) -> [String] {
    let table = TextTable(
      [
        .init("ID", isNumber: true), .init("BEGAN"), .init("DURATION", isNumber: true),
        .init("TOUCHES", isNumber: true), .init("SCREENS", isNumber: true), .init("ENDED"),
        .init("TAGS", canShrink: true),
      ],
      rows: sessions.map { listed in
        let record = listed.session.record
        return [
          String(record.id), LocalTime(record.began)?.text ?? "?",
          durationText(milliseconds: listed.duration), String(record.totals.begun),
          String(listed.screens), listed.ending, listed.tags,
        ]
      })
    let books =
      "\(counted(UInt64(sessions.count), "session")): \(totals.equation)"
      + (totals.isBalanced ? "" : " - THE BOOKS DO NOT BALANCE")
    return table.lines(width: width) + wrapped(books, to: width) + wrapped(totals.notes, to: width)
  }

  var json: JSONValue {
    [
      "sessions": .array(sessions.map(\.json)),
      "totals": totals.json,
    ]
  }
}

extension ListedSession {
  fileprivate var json: JSONValue {
    let record = session.record
    return [
      "id": .integer(record.id), "began": .string(record.began.utcText),
      "lastActive": .string(record.lastActive.utcText), "durationMs": .integer(duration),
      "end": record.end.map { .string($0.rawValue) } ?? .null,
      "day": .string(session.day.text), "isRolledUp": .bool(session.isRolledUp),
      "tags": .object(
        record.tags.sorted { $0.key < $1.key }
          .map { JSONValue.Member(name: $0.key, value: .string($0.value)) }),
      "totals": record.totals.json,
      "screens": .array(
        views.map { view in
          [
            "screen": .string(view.key.screen), "display": .string(view.key.display),
            "geometry": .string(view.key.geometry.text),
            "shownMs": .integer(view.shownMilliseconds), "touches": .integer(view.touches),
          ]
        }),
    ]
  }
}

extension SessionTotals {
  /// The sum stays at its end where a hostile store would make it overflow.
  fileprivate mutating func add(_ other: SessionTotals) {
    for field in Self.fields {
      let (sum, overflows) = self[keyPath: field.path]
        .addingReportingOverflow(other[keyPath: field.path])
      self[keyPath: field.path] = overflows ? .max : sum
    }
  }

  /// As `balances`, for sums that may have stopped at their end.
  fileprivate var isBalanced: Bool {
    let parts = [counted, masked, palms, ghosts, stillDown]
    return UInt128(begun) == parts.reduce(UInt128(0)) { $0 + UInt128($1) }
  }

  fileprivate var equation: String {
    "\(begun) begun = \(counted) counted + \(masked) masked + \(palms) palms + "
      + "\(ghosts) ghosts + \(stillDown) still down"
  }

  /// What is no part of the balance, as far as there is any; empty without.
  fileprivate var notes: String {
    [
      (cancelled, "cancelled"), (preexisting, "down before recording"),
      (clamped, "samples clamped to an edge"), (drops, "times events were lost"),
    ]
    .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  fileprivate var json: JSONValue {
    .object(
      Self.fields.map { .init(name: $0.name, value: .integer(self[keyPath: $0.path])) }
        + [.init(name: "balances", value: .bool(isBalanced))])
  }

  private static var fields: [(name: String, path: WritableKeyPath<SessionTotals, UInt64>)] {
    [
      ("begun", \.begun), ("counted", \.counted), ("masked", \.masked), ("palms", \.palms),
      ("ghosts", \.ghosts), ("stillDown", \.stillDown), ("preexisting", \.preexisting),
      ("cancelled", \.cancelled), ("clamped", \.clamped), ("drops", \.drops),
    ]
  }
}
