/// A text pattern in which `*` stands for any characters, or none.
struct Glob: Hashable, Sendable {
  private let parts: [[UInt8]]

  init(_ text: String) { self.init(Array(text.utf8)[...]) { String(decoding: $0, as: UTF8.self) } }

  /// - Parameter decode: Decodes the text between stars.
  init(_ text: ArraySlice<UInt8>, decode: (ArraySlice<UInt8>) -> String) {
    parts = text.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
      .map { Array(decode($0).utf8) }
  }

  var hasStar: Bool { parts.count > 1 }

  /// Returns whether the pattern matches the whole text, compared byte by byte. The time is at most
  /// proportional to the product of both lengths.
  func matches(_ text: String) -> Bool {
    let text = Array(text.utf8)
    guard let first = parts.first, let last = parts.last, text.starts(with: first) else {
      return false
    }
    guard hasStar else { return text.count == first.count }
    guard text.count >= first.count + last.count, text.suffix(last.count).elementsEqual(last) else {
      return false
    }
    // The leftmost match of each part leaves the most text to the parts that follow.
    var rest = text[first.count..<(text.count - last.count)]
    for part in parts.dropFirst().dropLast() {
      while !rest.starts(with: part) {
        guard rest.count > part.count else { return false }
        rest = rest.dropFirst()
      }
      rest = rest.dropFirst(part.count)
    }
    return true
  }
}
