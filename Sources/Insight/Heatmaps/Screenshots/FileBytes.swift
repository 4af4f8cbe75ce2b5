/// The bytes of an untrusted file, with checked access.
struct FileBytes {
  let all: [UInt8]
  var count: Int { all.count }

  init(_ all: [UInt8]) { self.all = all }

  /// Returns a part of the file.
  /// - Throws: `.broken` if the file ends earlier.
  func part(_ start: Int, _ length: Int) throws(ScreenshotError) -> ArraySlice<UInt8> {
    guard start >= 0, length >= 0, start <= count, length <= count - start else { throw .broken }
    return all[start..<start + length]
  }

  /// Returns a big-endian number.
  func big(_ start: Int, _ length: Int) throws(ScreenshotError) -> Int {
    try part(start, length).reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns a little-endian number.
  func little(_ start: Int, _ length: Int) throws(ScreenshotError) -> Int {
    try part(start, length).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  func text(_ start: Int, _ length: Int) throws(ScreenshotError) -> String {
    String(decoding: try part(start, length), as: UTF8.self)
  }
}
