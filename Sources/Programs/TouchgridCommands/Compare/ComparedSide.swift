import ArgumentParser
import Reports
import Storage
import Text
import TouchModel

/// One side of a comparison as users type it: a span, such as `2026-10-01..2026-10-31`, `14d..7d`,
/// `7d..`, a day or a month; or tags, such as `build=1.4` or `build=1.4,site=north`.
enum ComparedSide: Equatable {
  case span(from: TimeArgument?, to: TimeArgument?)
  case tags([String: String])
}

extension ComparedSide: FormedArgument {
  static let forms =
    "a span such as 14d..7d, 2026-10-01..2026-10-31 or 2026-10, or tags such as build=1.4 or "
    + "build=1.4,site=north"

  init?(argument: String) {
    if argument.contains("=") {
      let tags = argument.split(separator: ",", omittingEmptySubsequences: false)
        .map { TagArgument(argument: String($0)) }
      guard !tags.contains(nil),
        let dictionary = try? tags.compactMap({ $0 }).dictionary()
      else { return nil }
      self = .tags(dictionary)
      return
    }
    guard let dots = argument.firstRange(of: "..") else {
      let whole = TimeArgument(argument)
      switch whole {
      case .day, .month, .wholeDay: self = .span(from: whole, to: whole)
      case nil, .minute, .today, .daysAgo, .minutesAgo: return nil
      }
      return
    }
    let (start, end) = (argument[..<dots.lowerBound], argument[dots.upperBound...])
    let (from, to) = (TimeArgument(String(start)), TimeArgument(String(end)))
    guard !(start.isEmpty && end.isEmpty), from != nil || start.isEmpty, to != nil || end.isEmpty
    else { return nil }
    self = .span(from: from, to: to)
  }
}

/// The sessions of one side.
struct ComparedSessions: Equatable {
  var span: TimeSpan
  var filter: SessionFilter

  /// - Parameters:
  ///   - span: the span for a side that gives tags.
  ///   - filter: the filter for the sessions of both sides.
  /// - Throws: an error if the span is empty, or if the tags contradict each other.
  init(
    _ side: ComparedSide, span limit: TimeSpan, _ filter: SessionFilter, now: WallTime
  ) throws(Failure) {
    self.filter = filter
    switch side {
    case .span(let from, let to):
      span = TimeSpan(since: from?.start(now: now), until: to?.end(now: now))
      if let since = span.since, let until = span.until, since >= until {
        throw Failure("the span \(span.words) is empty: it must end later than it begins")
      }
    case .tags(let own):
      for (key, value) in own where filter.tags[key] ?? value != value {
        throw Failure(
          "the tag \(key.printable()) is given with two values; a session has one value for each tag"
        )
      }
      span = limit
      self.filter.tags.merge(own) { $1 }
    }
  }

  /// The sessions as text, such as `build=1.4` or `2026-10-01 00:00 to 2026-10-31 23:59`;
  /// printable.
  var words: String {
    let chosen = filter.tagWords + [filter.weekdayWords, filter.hourWords].compactMap(\.self)
    let days = chosen.isEmpty || span != .always ? [span.words] : []
    return (filter.tags.isEmpty ? days + chosen : chosen + days).joined(separator: ", ")
  }

  var side: ComparisonReport.Side { ComparisonReport.Side(words: words, json: json) }

  private var json: JSONValue {
    .object(
      [
        JSONValue.Member(
          name: "since", value: span.since.map { .string($0.utcText) } ?? .null),
        JSONValue.Member(
          name: "until", value: span.until.map { .string($0.utcText) } ?? .null),
        JSONValue.Member(
          name: "tags", value: filter.tagJSON),
      ] + filter.timeMembers)
  }

  /// Returns the span and the filter of the sessions that belong to both sides; nil if no session
  /// can.
  func shared(with other: ComparedSessions) -> ComparedSessions? {
    for (key, value) in filter.tags where other.filter.tags[key] ?? value != value { return nil }
    var both = self
    both.filter.tags.merge(other.filter.tags) { $1 }
    both.span.since = [span.since, other.span.since].compactMap { $0 }.max()
    both.span.until = [span.until, other.span.until].compactMap { $0 }.min()
    if let since = both.span.since, let until = both.span.until, since >= until { return nil }
    return both
  }
}
