import Storage
import Testing
import TouchModel
import TouchgridAPI

@testable import TouchgridCommands

@Suite struct ArgumentTests {
  @Test func `A duration is a whole number and a unit`() {
    for (text, milliseconds) in [
      ("250ms", 250), ("30s", 30_000), ("5m", 300_000), ("24h", 86_400_000), ("0s", 0),
      ("999999999h", 999_999_999 * 3_600_000),
    ] as [(String, Int64)] {
      #expect(DurationArgument(argument: text)?.milliseconds == milliseconds)
    }
    for text in ["", "s", "30", "-1s", "+1s", "1.5s", "1 s", "1d", "1000000000s", "٣s", "30s "] {
      #expect(DurationArgument(argument: text) == nil, "\(text)")
    }
  }

  @Test func `A tag is split at its first equals sign`() throws {
    let tag = try #require(TagArgument(argument: "build=a=b"))
    #expect(tag.key == "build" && tag.value == "a=b")
    #expect(TagArgument(argument: "build=")?.value == "")
    #expect(TagArgument(argument: "=a") == nil && TagArgument(argument: "build") == nil)
  }

  @Test func `Weekdays are names and ranges, which may go over Sunday`() {
    for (text, numbers) in [
      ("mon-fri", [1, 2, 3, 4, 5]), ("sat,sun", [6, 7]), ("Mon,WED-fri", [1, 3, 4, 5]),
      ("sat-mon", [1, 6, 7]), ("tue-tue", [2]), ("tue-mon", [1, 2, 3, 4, 5, 6, 7]),
      ("monday,sunday,mon", [1, 7]),
    ] {
      let weekdays = WeekdaysArgument(argument: text)?.weekdays
      #expect(weekdays?.map(\.rawValue).sorted() == numbers, "\(text)")
    }
    for text in [
      "", ",", "mon,", "mon-", "-fri", "mon-wed-fri", "mo", "mond", "1-5", " mon", "mön",
    ] {
      #expect(WeekdaysArgument(argument: text) == nil, "\(text)")
    }
  }

  @Test func `Hours are two different full hours of a day`() {
    for (text, from, until) in [
      ("8-12", 8, 12), ("22-4", 22, 4), ("00-06", 0, 6), ("18-24", 18, 24),
    ] {
      let hours = HoursArgument(argument: text)?.hours
      #expect(hours?.from == from && hours?.until == until, "\(text)")
    }
    for text in [
      "", "8", "8-", "-8", "8-8", "0-24", "24-4", "8-25", "8-12-14", "8:00-12:00", "+8-12", "8-٣",
      "008-12", "8 -12", "8,12", "99999999999999999999-1",
    ] {
      #expect(HoursArgument(argument: text) == nil, "\(text)")
    }
  }

  @Test func `Filters have words, whose end is the last minute that they include`() {
    func words(_ numbers: [Int], _ hours: HourRange?, tags: [String: String] = [:]) -> String {
      SessionFilter(
        tags: tags, weekdays: Set(numbers.compactMap(Weekday.init(rawValue:))), hours: hours
      ).words(in: .always)
    }
    let all = Array(1...7)
    #expect(words(all, nil) == "all days")
    #expect(words([1, 2, 3, 4, 5], HourRange(from: 8, until: 12)) == "Mon-Fri, 08:00 to 11:59")
    #expect(words([6, 7], nil, tags: ["build": "1.4"]) == "build=1.4, Sat, Sun")
    #expect(words([1, 3, 4, 5, 7], nil) == "Mon, Wed-Fri, Sun")
    #expect(words(all, HourRange(from: 22, until: 4)) == "all days, 22:00 to 03:59")
    #expect(words(all, HourRange(from: 22, until: 0)) == "all days, 22:00 to 23:59")
    #expect(words(all, HourRange(from: 22, until: 24)) == "all days, 22:00 to 23:59")
  }

  @Test func `A rectangle is four numbers with a width and height above zero`() {
    let rectangle = RectangleArgument(argument: "0,1.5,300,20")?.rectangle
    #expect(rectangle?.y == 1.5 && rectangle?.width == 300)
    for text in [
      "", "1,2,3", "1,2,3,4,5", "1,2,0,4", "-1,2,3,4", "1,2,nan,4", "0x1,2,3,4", "1,,3,4",
    ] {
      #expect(RectangleArgument(argument: text) == nil, "\(text)")
    }
  }

  @Test func `A size is two whole numbers`() {
    #expect(PixelsArgument(argument: "1920x1080").map { [$0.width, $0.height] } == [1920, 1080])
    for text in ["", "1920", "1920x", "x1080", "1920x1080x2", "-1x2", "99999999999999999999x1"] {
      #expect(PixelsArgument(argument: text) == nil, "\(text)")
    }
  }

  @Test func `Durations and file sizes are printed in short form`() {
    #expect(
      [-5, 0, 59_999, 60_000, 3_600_000, 5_400_000, 90_000_000, .max].map(longDuration)
        == [
          "less than 1 s", "less than 1 s", "59 s", "1 min", "1 h", "1 h 30 min", "1 day 1 h",
          "106751991167 days 7 h",
        ])
    #expect(
      [0, 1023, 1024, 1536, 126_976, 1 << 30, .max].map(bytesText)
        == ["0 B", "1023 B", "1 KiB", "1.5 KiB", "124 KiB", "1 GiB", "8388608 TiB"])
  }
}
