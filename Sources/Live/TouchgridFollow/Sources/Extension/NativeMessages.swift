/// Splits the bytes that a browser sends into messages. Each begins with its length in four bytes,
/// the least significant byte first.
struct NativeMessages {
  /// The maximum length of a message, in bytes. Browsers allow more, but no page address needs it.
  static let limit = 4 << 20

  private var bytes: [UInt8] = []
  /// Whether a length above `limit` has arrived, which no browser sends. The bytes after it are
  /// ignored.
  private(set) var isBroken = false

  static func framed(_ message: [UInt8]) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: message.count >> (8 * $0)) } + message
  }

  mutating func append(_ more: some Sequence<UInt8>) -> [[UInt8]] {
    guard !isBroken else { return [] }
    bytes += more
    var messages: [[UInt8]] = []
    var start = 0
    while bytes.count - start >= 4 {
      let length = (0..<4).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
      guard length <= Self.limit else {
        isBroken = true
        break
      }
      guard bytes.count - start - 4 >= length else { break }
      messages.append(Array(bytes[(start + 4)..<(start + 4 + length)]))
      start += 4 + length
    }
    bytes.removeFirst(start)
    return messages
  }
}
