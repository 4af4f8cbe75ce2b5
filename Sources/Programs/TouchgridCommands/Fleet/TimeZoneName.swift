import Glibc

/// The name of this machine's time zone.
enum TimeZoneName {
  private static let folder = "/zoneinfo/"

  /// Returns a name such as `Europe/Berlin`; nil if the machine's time zone has no name.
  static var current: String? {
    if let variable = Terminal.variable("TZ"), !variable.isEmpty { return name(variable) }
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = unsafe readlink("/etc/localtime", &buffer, buffer.count)
    guard length > 0, length < buffer.count else { return nil }
    let target = String(
      decoding: buffer[..<length].map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    guard let start = target.range(of: folder) else { return nil }
    return name(String(target[start...]))
  }

  /// - Returns: nil if the text does not look like the name of a time zone.
  private static func name(_ text: String) -> String? {
    let text = text.hasPrefix(":") ? String(text.dropFirst()) : text
    let isName =
      text.utf8.count <= 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "/_+-".utf8.contains($0)
      }
    return isName && !text.isEmpty ? text : nil
  }
}

extension String {
  /// Returns the index after the first occurrence of a text; nil if there is none.
  fileprivate func range(of other: String) -> String.Index? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(other) { return index(start, offsetBy: other.count) }
      start = index(after: start)
    }
    return nil
  }
}
