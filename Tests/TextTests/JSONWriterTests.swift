import Foundation
import Testing

@testable import Text

@Suite struct JSONWriterTests {
  private struct Sample: JSONWritable, Codable, Equatable {
    var counts: [Int64]
    var means: [Double]
    var name = "a \"name\" with \\ and \u{1} and é"
    var inner = ["x": [1, 2]]

    func write(to json: inout JSONWriter) {
      json.object { json in
        json.member("counts")
        json.value(counts)
        json.member("inner")
        json.value(inner)
        json.member("means")
        json.value(means)
        json.member("name")
        json.value(name)
      }
    }
  }

  private func written(_ sample: Sample) throws -> [UInt8] {
    try #require(JSON.encodedObject(sample))
  }

  @Test(arguments: [0, 1, 1023, 1024, 1025, 3072]) func `Written lists are read back unchanged`(
    count: Int
  ) throws {
    var random = SystemRandomNumberGenerator()
    let sample = Sample(
      counts: (0..<count).map { _ in
        Int64(bitPattern: random.next() >> UInt64.random(in: 0..<64))
      },
      means: (0..<count).map { _ in
        // Half of the numbers have random bits; the others are quotients, as means are.
        let any = Double(bitPattern: random.next())
        return Bool.random() && any.isFinite
          ? any : Double(UInt64.random(in: 0...1000)) / Double(UInt64.random(in: 1...300))
      })
    let bytes = try written(sample)
    #expect(try JSONDecoder().decode(Sample.self, from: Data(bytes)) == sample)
    _ = try JSONScanner.members(of: bytes[...])
  }

  @Test func `Numbers have the fewest possible digits`() throws {
    let sample = Sample(
      counts: [0, -1, 9, 10, .min, .max],
      means: [
        0, -0.0, 1, -17, 0.1, 1.0 / 3, 9_007_199_254_740_991, 9_007_199_254_740_992, 1e16, 1e300,
        .leastNonzeroMagnitude, -2.2250738585072014e-308, .greatestFiniteMagnitude,
      ])
    let text = String(decoding: try written(sample), as: UTF8.self)
    #expect(
      text.contains(#""counts":[0,-1,9,10,-9223372036854775808,9223372036854775807]"#), "\(text)")
    #expect(
      text.contains(#""means":[0,-0,1,-17,0.1,0.3333333333333333,9007199254740991,"#), "\(text)")
    #expect(
      text.contains(
        "1e+16,1e+300,5e-324,-2.2250738585072014e-308,1.7976931348623157e+308]"), "\(text)")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `NaN and infinity cannot be written`(number: Double) {
    #expect(JSON.encodedObject(Sample(counts: [], means: [1, number])) == nil)
  }
}
