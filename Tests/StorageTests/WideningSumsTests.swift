import TestSupport
import Testing

@testable import Storage

@Suite struct WideningSumsTests {
  private func bytes(_ values: [UInt128], _ width: Int) -> [UInt8] {
    values.flatMap { value in
      (0..<width).map { UInt8(truncatingIfNeeded: value >> UInt128(8 * $0)) }
    }
  }

  @Test(arguments: 1...20) func `Sums of any widths are exact`(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...70, using: &dice)
    var sums = WideningSums(count: count, limit: .max)
    var expected = [UInt128](repeating: 0, count: count)
    for _ in 0..<60 {
      let width = [1, 2, 4, 8].randomElement(using: &dice) ?? 1
      let values = (0..<count).map { _ in
        // Sometimes the largest value of the width.
        Int.random(in: 0..<5, using: &dice) == 0
          ? UInt128.max >> UInt128(128 - 8 * width)
          : UInt128(dice.next() >> UInt64.random(in: UInt64(64 - 8 * width)..<64, using: &dice))
      }
      try sums.add(bytes(values, width), width: width)
      for index in 0..<count { expected[index] += values[index] }
      let index = Int.random(in: 0..<count, using: &dice)
      let one = UInt128(dice.next()) << UInt128.random(in: 0..<40, using: &dice)
      try sums.add(one, at: index)
      expected[index] += one
      #expect(sums.values == expected)
      #expect(sums[index] == expected[index])
    }
  }

  @Test func `A sum at the limit fits, and one more overflows`() throws {
    for limit in [UInt128(UInt64.max), .max] {
      var sums = WideningSums(count: 2, limit: limit)
      try sums.add(bytes([limit - 3, 7], 16), width: 16)
      try sums.add(bytes([3, 1], 1), width: 1)
      #expect(sums.values == [limit, 8])
      #expect(try failure { () throws(StoreError) in try sums.add(1, at: 0) }.code == .overflow)
      #expect(
        try failure { () throws(StoreError) in try sums.add([1, 0], width: 1) }.message
          == "the sum of block 0 exceeds the largest number")
      #expect(
        try failure { () throws(StoreError) in
          try sums.add(bytes([0, limit], 16), width: 16)
        }.message == "the sum of block 1 exceeds the largest number")
    }
  }

  @Test(arguments: [1, 2, 4, 8, 16]) func `Cells of every width are inflated`(width: Int) throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file(), options: options())
    let inflater = Inflater()
    let largest = UInt128.max >> UInt128(128 - 8 * width)
    for values in [[0, largest], [largest], [largest, 1, 2]] {
      let cells = try Cells(values)
      #expect(cells.bytesPerCell == width)
      let row = try store.database.prepare("SELECT ?1, ?2")
      try row.bind(cells.values)
      #expect(try row.step())
      #expect(try inflater.inflate(row, 0, count: values.count, widest: 16) == width)
      #expect(Array(inflater.cells.prefix(values.count * width)) == bytes(values, width))
      for wrong in [values.count + 1, values.count - 1] where wrong > 0 {
        #expect(try inflater.inflate(row, 0, count: wrong, widest: 16) == nil)
      }
      #expect(try inflater.inflate(row, 0, count: values.count, widest: width / 2) == nil)
      #expect(try inflater.inflate(row, 0, count: values.count, widest: 16) == width, "again")
      for other in [cells.packed + [0], Array(cells.packed.dropLast())] {
        try row.bind([.integer(Int64(width)), .blob(other)])
        #expect(try row.step())
        #expect(try inflater.inflate(row, 0, count: values.count, widest: 16) == nil)
      }
    }
  }
}
