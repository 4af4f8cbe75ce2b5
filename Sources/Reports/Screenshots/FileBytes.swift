/// The bytes of a file that nobody vouches for.
struct FileBytes {
  let all: [UInt8]
  var count: Int { all.count }

  init(_ all: [UInt8]) { self.all = all }

  /// - Throws: `.broken` where the file ends before.
  func part(_ start: Int, _ length: Int) throws(ScreenshotError) -> ArraySlice<UInt8> {
    guard start >= 0, length >= 0, start <= count, length <= count - start else { throw .broken }
    return all[start..<start + length]
  }

  /// The most significant byte first.
  func big(_ start: Int, _ length: Int) throws(ScreenshotError) -> Int {
    try part(start, length).reduce(0) { $0 << 8 | Int($1) }
  }

  /// The least significant byte first.
  func little(_ start: Int, _ length: Int) throws(ScreenshotError) -> Int {
    try part(start, length).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  func text(_ start: Int, _ length: Int) throws(ScreenshotError) -> String {
    String(decoding: try part(start, length), as: UTF8.self)
  }
}
