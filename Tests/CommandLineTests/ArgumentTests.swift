import Testing
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
