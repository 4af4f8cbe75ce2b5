import Heatmaps
import TestSupport
import Testing
import Text
import TouchModel

@testable import Reports

@Suite struct EncodingTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000),
      "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
    ),
  ])
  func `SHA-256 matches the test vectors of FIPS 180-2`(text: String, digits: String) {
    let hash = sha256(Array(text.utf8)).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    #expect(hash.joined() == digits)
  }

  @Test func `A sparse grid holds every count`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<50 {
      let grid = try Samples.grid(using: &random)
      let read = try #require(Self.read(SparseGrid(grid).bytes, blocks: grid.sum.count))
      #expect(read.sums == Array(grid.sum))
      #expect(read.touched == Array(grid.touchedSessions))
    }
  }

  @Test func `An untouched grid takes no bytes`() throws {
    #expect(SparseGrid(try Samples.grid(counts: [:])).bytes.isEmpty)
    #expect(SparseGrid(try Samples.grid(counts: [3: (300, 2)])).bytes == [3, 0xac, 0x02, 2])
  }

  /// Decodes as `docs/report.md` describes. Returns nil if the bytes end within a number or a block
  /// is outside of the grid.
  private static func read(
    _ bytes: [UInt8], blocks: Int
  ) -> (sums: [UInt64], touched: [UInt64])? {
    var numbers: [UInt64] = []
    var (number, shift): (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      number |= UInt64(byte & 0x7f) << shift
      shift += 7
      if byte < 0x80 {
        numbers.append(number)
        (number, shift) = (0, 0)
      }
    }
    guard shift == 0, numbers.count.isMultiple(of: 3) else { return nil }
    var sums = Array(repeating: UInt64(0), count: blocks)
    var touched = sums
    var block = 0
    for start in stride(from: 0, to: numbers.count, by: 3) {
      block += Int(numbers[start])
      guard block < blocks else { return nil }
      (sums[block], touched[block]) = (numbers[start + 1], numbers[start + 2])
      block += 1
    }
    return (sums, touched)
  }
}
