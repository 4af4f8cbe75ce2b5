import ArgumentParser
import Storage
import Text
import TouchModel

/// The options that select sessions by tags, weekdays and hours of their beginning.
struct FilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only sessions with this tag. If repeated, sessions with all tags.", valueName: "key=value"),
    transform: TagArgument.read)
  var tag: [TagArgument] = []

  @Option(
    help: ArgumentHelp(
      "Only sessions that began on these days of the week: mon-fri, or sat,sun.",
      valueName: "days"), completion: WeekdaysArgument.completion,
    transform: WeekdaysArgument.read)
  var weekdays: WeekdaysArgument?

  @Option(
    help: ArgumentHelp(
      "Only sessions that began in these hours of the day.",
      discussion: """
        8-12 is from 8:00 up to before 12:00; 22-4 goes over midnight. Local time.
        """,
      valueName: "hours"), completion: .list(["6-12", "12-18", "18-24"]),
    transform: HoursArgument.read)
  var hours: HoursArgument?

  /// The names of the options, for messages.
  static let names = "--tag, --weekdays or --hours"

  var isGiven: Bool { !tag.isEmpty || weekdays != nil || hours != nil }

  func validate() throws { _ = try tag.dictionary() }

  var filter: SessionFilter {
    SessionFilter(
      tags: Dictionary(tag.map { ($0.key, $0.value) }) { _, last in last },
      weekdays: weekdays?.weekdays ?? SessionFilter.allWeekdays, hours: hours?.hours)
  }
}

/// Days of the week: `mon-fri`, `sat,sun`, `mon,wed-fri`.
struct WeekdaysArgument: Equatable, FormedArgument {
  static let forms = "days of the week and ranges of them, such as mon-fri, sat,sun or mon,wed-fri"

  static let completion = CompletionKind.list(
    ["mon-fri", "sat,sun"] + Weekday.allCases.map(\.word))

  var weekdays: Set<Weekday> = []

  init?(argument: String) {
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false)
        .map { Weekday(argument: String($0)) }
      guard (1...2).contains(ends.count), let first = ends[0], var last = ends[ends.count - 1]
      else { return nil }
      weekdays.insert(last)
      // A range may span the end of the week, such as `sat-mon`.
      while last != first {
        last = last.dayBefore
        weekdays.insert(last)
      }
    }
  }
}

/// Hours of the day: `8-12`, `22-4`.
struct HoursArgument: Equatable, FormedArgument {
  static let forms =
    "two full hours from 0 to 24, such as 8-12 (from 8:00 up to before 12:00) or 22-4 (over "
    + "midnight), and not the whole day"

  var hours: HourRange

  init?(argument: String) {
    let numbers = argument.split(separator: "-", omittingEmptySubsequences: false).map { text in
      text.utf8.count <= 2 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
    guard numbers.count == 2, let from = numbers[0], let until = numbers[1],
      let hours = HourRange(from: from, until: until)
    else { return nil }
    self.hours = hours
  }
}

extension Weekday {
  /// The name as an argument: `mon`.
  var word: String { String("\(self)".prefix(3)) }

  /// - Parameter argument: the name in English or its first three letters, in any case.
  fileprivate init?(argument: String) {
    let text = argument.lowercased()
    guard let day = Self.allCases.first(where: { $0.word == text || "\($0)" == text })
    else { return nil }
    self = day
  }

  fileprivate var dayBefore: Weekday { Weekday(rawValue: rawValue - 1) ?? .sunday }
}
