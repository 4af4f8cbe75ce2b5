import ArgumentParser
import Glibc
import Heatmaps
import LinuxIO
import Storage
import Text
import TouchModel

/// The options `--since` and `--until` of all verbs.
struct SpanOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only sessions that began at this time or later.",
      discussion: """
        2026-11-21 (the start of that day), 2026-11 (the start of that month), 2026-11-21T14:00, 14:00 \
        (today), today, yesterday, or a time ago: 2w, 7d, 12h, 30m. Local time.
        """,
      valueName: "time"), transform: TimeArgument.read)
  var since: TimeArgument?

  @Option(
    help: ArgumentHelp(
      "Only sessions that began before this time; for a day or a month, before its end.",
      discussion: "As --since, but 2026-11-21, 2026-11, today and yesterday are included.",
      valueName: "time"), transform: TimeArgument.read)
  var until: TimeArgument?

  func validate() throws {
    let now = WallTime.now
    guard let from = since?.start(now: now), let to = until?.end(now: now) else { return }
    guard from < to else {
      throw ValidationError("--until must be later than --since.")
    }
  }

  var span: TimeSpan {
    let now = WallTime.now
    return TimeSpan(since: since?.start(now: now), until: until?.end(now: now))
  }
}

extension TimeSpan {
  /// The span as text. The end is shown as the last minute that the span includes.
  var words: String {
    func text(_ time: WallTime) -> String { LocalTime(time)?.text ?? "\(time.milliseconds) ms" }
    let last = until.map { text(WallTime(milliseconds: $0.milliseconds - 1)) }
    return switch (since.map(text), last) {
    case (nil, nil): "all days"
    case (let since?, nil): "since \(since)"
    case (nil, let last?): "until \(last)"
    case (let since?, let last?): "\(since) to \(last)"
    }
  }

  var json: JSONValue {
    [
      "since": since.map { .string($0.utcText) } ?? .null,
      "until": until.map { .string($0.utcText) } ?? .null,
    ]
  }
}

extension WallTime {
  static var now: WallTime { WallTime(milliseconds: Clocks.wall) }

  /// The time as RFC 3339 in UTC, to the millisecond: `2026-11-21T13:03:12.345Z`.
  var utcText: String {
    let fraction = (milliseconds % 1000 + 1000) % 1000
    var clock = time_t(milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0))
    var parts = unsafe tm()
    guard unsafe gmtime_r(&clock, &parts) != nil else { return "\(milliseconds) ms" }
    let (year, month, day) = unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday)
    let (hour, minute, second) = unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec)
    return "\(padded(Int(year) + 1900, 4))-\(padded(month + 1))-\(padded(day))"
      + "T\(padded(hour)):\(padded(minute)):\(padded(second)).\(padded(fraction, 3))Z"
  }
}

/// Returns a duration as minutes and seconds, with hours if there are any: `12:31`, `1:02:03`.
func durationText(milliseconds: UInt64) -> String {
  let seconds = milliseconds / 1000
  let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
  let end = ":" + padded(seconds % 60)
  return hours > 0 ? "\(hours):\(padded(minutes))\(end)" : "\(minutes)\(end)"
}
