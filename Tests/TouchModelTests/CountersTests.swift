import TestSupport
import Testing

@testable import TouchModel

@Suite struct CountersTests {
  @Test func `After any additions and subtractions, counters equal 64-bit integers`() {
    var random = SeededGenerator(seed: 3)
    for round in 0..<60 {
      let count = 1 + Int(random.next() % 50)
      var counters = Counters(count: count)
      var integers = Array(repeating: UInt64(0), count: count)
      for _ in 0..<400 {
        let index = Int(random.next() % UInt64(count))
        // Random amounts with more bits in later rounds: in some rounds the counters stay narrow,
        // in others they become wide.
        let amount = random.next() >> UInt64(63 - min(round, 54))
        if random.next() % 4 == 0, integers[index] >= amount {
          counters.subtract(amount, at: index)
          integers[index] -= amount
        } else {
          counters.add(amount, at: index)
          integers[index] += amount
        }
      }
      #expect((0..<count).map { counters[$0] } == integers, "round \(round)")
      #expect(counters.sum == integers.reduce(0, +))
      let narrow = counters.narrowed()
      #expect((0..<count).map { narrow[$0] } == integers)
      let width = [1, 2, 4, 8].first {
        (integers.max() ?? 0) <= UInt64.max >> (64 - 8 * UInt64($0))
      }
      #expect(narrow.bytesPerCounter == width)
      #expect(narrow.bytesPerCounter <= counters.bytesPerCounter)
      #expect(counters.isZero == (counters.sum == 0))
      for index in 0..<count { counters.subtract(integers[index], at: index) }
      #expect(counters.isZero && counters.narrowed() == Counters(count: count))
    }
  }

  @Test func `The bytes of counters are little-endian, one counter after the other`() {
    var counters = Counters(count: 3)
    counters.add(0x0102_0304, at: 1)
    counters.add(5, at: 2)
    #expect(counters.bytes == [0, 0, 0, 0, 4, 3, 2, 1, 5, 0, 0, 0])
    let back = Counters(count: 3, bytesPerCounter: 4, bytes: counters.bytes)
    #expect(back == counters)
  }

  @Test(arguments: [
    (2, 1, 3), (2, 3, 6), (2, 0, 0), (-1, 1, 0), (Int.max, 8, 8), (1, -8, 8), (2, 2, 2),
  ])
  func `Bytes of a wrong length or width are refused`(count: Int, width: Int, bytes: Int) {
    let result = Counters(
      count: count, bytesPerCounter: width, bytes: Array(repeating: 0, count: bytes))
    #expect(result == nil)
  }
}
