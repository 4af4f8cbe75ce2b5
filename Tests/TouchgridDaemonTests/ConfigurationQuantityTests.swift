import Testing

@testable import ConfigurationFiles
@testable import TouchgridDaemon

struct ConfigurationQuantityTests {
  @Test(arguments: [
    ("250ms", 250_000), ("5s", 5_000_000), ("2m", 120_000_000), ("1h", 3_600_000_000),
    ("90d", 7_776_000_000_000), ("0s", 0), ("007 s", 7_000_000),
    ("106751991d", 9_223_372_022_400_000_000),
  ])
  func `A duration is read in microseconds`(text: String, value: Int64) {
    #expect(Quantity.duration.read(text) == .value(value))
  }

  @Test(arguments: [
    ("0B", 0), ("1 KiB", 1024), ("256 MiB", 268_435_456), ("256MiB", 268_435_456),
    ("2   GiB", 2_147_483_648), ("1 TiB", 1_099_511_627_776), ("9223372036854775807 B", .max),
  ])
  func `A size is read in bytes`(text: String, value: Int64) {
    #expect(Quantity.size.read(text) == .value(value))
  }

  @Test(arguments: [
    "", " ", "s", "-1s", "+1s", "1", "1S", "1sec", "1s ", " 1s", "1.5h", "1,5h", "1e3s", "0x1s",
    "1_0s", "1 2s",
    "1s2", "１s", "1\ts", "1\u{0}s", "106751992d", "9223372036854775808s", "1h30m", "1\u{301}s",
    "٣s",
  ])
  func `Invalid durations are refused`(text: String) {
    guard case .refused(let why) = Quantity.duration.read(text) else {
      Issue.record("\(text) was read")
      return
    }
    #expect(!why.isEmpty)
  }

  @Test func `Written quantities are read back`() {
    for value: Int64 in [0, 1000, 999_000, 1_000_000, 60_000_000, 61_000_000, 86_400_000_000] {
      #expect(Quantity.duration.read(Quantity.duration.write(value)) == .value(value))
      #expect(Quantity.size.read(Quantity.size.write(value)) == .value(value))
    }
    #expect(Quantity.duration.write(90_000_000) == "90s")
    #expect(Quantity.size.write(1536 << 20) == "1536 MiB")
  }
}
