import Storage
import Text
import TouchModel
import TouchgridAPI

extension SessionFilter {
  /// The tags as text, in the order of their keys; printable.
  var tagWords: [String] {
    tags.sorted { $0.key < $1.key }.map { "\($0.key.printable())=\($0.value.printable())" }
  }

  /// The weekdays as text, such as `Mon-Fri` or `Sat, Sun`; nil if all are chosen.
  var weekdayWords: String? {
    guard weekdays != Self.allWeekdays else { return nil }
    var runs: [[Weekday]] = []
    for day in weekdays.sorted() {
      if let last = runs.last?.last, last.rawValue + 1 == day.rawValue {
        runs[runs.count - 1].append(day)
      } else {
        runs.append([day])
      }
    }
    return runs.flatMap { run in
      let names = run.map { $0.word.prefix(1).uppercased() + $0.word.dropFirst() }
      return names.count > 2 ? ["\(names[0])-\(names[names.count - 1])"] : names
    }.joined(separator: ", ")
  }

  /// The hours as text, such as `08:00 to 11:59`: the end is the last minute that is included. nil
  /// if all hours are selected.
  var hourWords: String? {
    hours.map { "\(padded($0.from)):00 to \(padded(($0.until + 23) % 24)):59" }
  }

  /// The selected sessions of a span as text, such as `2026-10-01 00:00 to 2026-10-31 23:59,
  /// build=1.4, Mon-Fri, 08:00 to 11:59`; printable.
  func words(in span: TimeSpan) -> String {
    let time = [weekdayWords, hourWords].compactMap(\.self)
    let days = span == .always && weekdayWords != nil ? [] : [span.words]
    return (days + tagWords + time).joined(separator: ", ")
  }

  /// The line above a table that describes the selection; nil if all sessions are selected.
  func title(in span: TimeSpan) -> String? {
    span == .always && isEmpty ? nil : "Selected: \(words(in: span))"
  }

  /// The selected sessions of a span, for programs. Leaves out tags, weekdays and hours that select
  /// all.
  func json(in span: TimeSpan) -> JSONValue {
    guard case .object(let members) = span.json else { return span.json }
    let tags = tags.isEmpty ? [] : [JSONValue.Member(name: "tags", value: tagJSON)]
    return .object(members + tags + timeMembers)
  }

  /// The tags, for programs.
  var tagJSON: JSONValue {
    .object(
      tags.sorted { $0.key < $1.key }
        .map { JSONValue.Member(name: $0.key, value: .string($0.value)) })
  }

  /// The weekdays and hours, for programs. Leaves out those that select all.
  var timeMembers: [JSONValue.Member] {
    [
      weekdayParameter.map {
        JSONValue.Member(name: "weekdays", value: .array($0.map { .integer($0) }))
      },
      hours.map {
        JSONValue.Member(
          name: "hours", value: ["from": .integer($0.from), "until": .integer($0.until)])
      },
    ].compactMap(\.self)
  }
}

/// The parameters of calls, which are nil if they select everything.
extension SessionFilter {
  var tagParameter: [String: String]? { tags.isEmpty ? nil : tags }

  var weekdayParameter: [Int64]? {
    weekdays == Self.allWeekdays ? nil : weekdays.sorted().map { Int64($0.rawValue) }
  }

  var hourParameter: API.HourRange? {
    hours.map { API.HourRange(from: Int64($0.from), until: Int64($0.until)) }
  }
}
