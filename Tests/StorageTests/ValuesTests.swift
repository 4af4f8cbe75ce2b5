import Glibc
import TestSupport
import Testing
import TouchModel

@testable import Storage

@Suite struct DayTests {
  @Test(arguments: ["2024-05-01", "0000-01-01", "9999-12-31", "2024-02-29", "2000-02-29"])
  func `Days in the form 2024-05-01 are read`(text: String) throws {
    #expect(Day(text)?.text == text)
  }

  @Test(arguments: [
    "", "2024-5-1", "2024-05-01 ", "2024-13-01", "2024-00-01", "2024-01-32", "+024-01-01",
    "-2024-01-01", "20240501", "2024-05-01-", "99999999999999999999-01-01", "２０２４-05-01",
    "2026-02-29", "1900-02-29", "2026-04-31", "2026-01-00",
  ]) func `Text that is not a valid day is refused`(text: String) { #expect(Day(text) == nil) }

  @Test func `Days follow the time zone, and extreme times do not trap`() throws {
    var clock = time_t(mayFirst / 1000)
    var parts = unsafe tm()
    unsafe localtime_r(&clock, &parts)
    let (month, day) = unsafe (parts.tm_mon, parts.tm_mday)
    let local = Day(local: WallTime(milliseconds: mayFirst))
    #expect(local == Day(year: 2024, month: Int(month) + 1, day: Int(day)))
    #expect(Day(local: WallTime(milliseconds: .max)).text == "9999-12-31")
    #expect(Day(local: WallTime(milliseconds: .min)).text == "0000-01-01")
    #expect(
      Day(local: WallTime(milliseconds: -1)) <= Day(local: WallTime(milliseconds: 0)))
  }
}

@Suite struct DeflateTests {
  @Test func `Inflating deflated bytes gives the same bytes`() throws {
    var dice = SeededGenerator(seed: 1)
    for count in [0, 1, 12, 3072, 100_000] {
      for largest in [0, 3, UInt8.max] {
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...largest, using: &dice) }
        let deflated = try Deflate.deflate(bytes)
        #expect(Deflate.inflate(deflated, count: count) == bytes)
        #expect(Deflate.inflate(deflated, count: count + 1) == nil)
        #expect(Deflate.inflate(deflated + [0], count: count) == nil)
        if count > 1 { #expect(Deflate.inflate(deflated, count: count - 1) == nil) }
      }
    }
  }

  @Test func `The largest grid can be stored and read`() throws {
    let side = try #require(
      DisplayGeometry(pixelWidth: 16_384, pixelHeight: 16_384, blockSize: 16))
    let count = side.columns * side.rows
    var wide = Counters(count: count)
    wide[count - 1] = .max
    #expect(try Cells(wide).counters(count: count) == wide)
  }
}

@Suite struct StoreErrorTests {
  @Test func `Every error says what the user can do`() {
    for code in StoreError.Code.allCases {
      let error = StoreError(code, message: "why", path: "/a/b", activity: "writing session 7")
      #expect(error.advice.hasSuffix("."))
      #expect(error.description == "/a/b: writing session 7: why. \(error.advice)")
    }
  }
}
