/// The parts of a URL that may identify a page. User names, passwords, query strings within
/// fragments, and the text after a semicolon in a segment are left out.
struct PageAddress {
  /// The scheme in lower case, such as `https`.
  let scheme: String
  /// The host in lower case, without a final dot, and with the port unless it is the default of the
  /// scheme. Empty if there is no host.
  let host: String
  /// The decoded segments of the path, without empty ones.
  let segments: [String]
  /// The decoded parameters, in the order of the URL.
  let query: [(name: String, value: String)]
  /// The decoded segments of the fragment without `#` and `!`. Empty segments, and segments with a
  /// `=`, are left out.
  let fragment: [String]

  /// - Parameter text: The address as a browser reports it. The time is proportional to its length.
  /// - Returns: nil if there is no valid scheme.
  init?(_ text: String) {
    // Split bytes, because Swift sees a separator with a combining accent as another character.
    var rest = Array(text.utf8)[...]
    guard let scheme = Self.scheme(rest) else { return nil }
    self.scheme = scheme
    rest = rest.dropFirst(scheme.utf8.count + 1)
    var fragment = rest.cut(at: "#") ?? []
    let parameters = rest.cut(at: "?") ?? []
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let authority = rest.prefix { $0 != UInt8(ascii: "/") }
      rest = rest.dropFirst(authority.count)
      let start = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 }
      host = Self.host(authority[(start ?? authority.startIndex)...], scheme)
    } else {
      host = ""
    }
    segments = Self.segments(rest)
    query = parameters.split(separator: UInt8(ascii: "&")).map { pair in
      var name = pair
      let value = name.cut(at: "=") ?? []
      return (Self.decoded(name, plusIsSpace: true), Self.decoded(value, plusIsSpace: true))
    }
    _ = fragment.cut(at: "?")
    self.fragment = Self.segments(fragment.drop { $0 == UInt8(ascii: "!") }).filter {
      !$0.contains("=")
    }
  }

  /// The maximum length of an address that is kept, in bytes, before its fragment and in it.
  static let lengthLimit = 8 << 10

  /// Returns an address without most of a long path or query string. The fragment stays, for it may
  /// name the page.
  static func shortened(_ text: String) -> String {
    guard text.utf8.count > lengthLimit else { return text }
    var rest = Array(text.utf8)[...]
    let fragment = rest.cut(at: "#")
    let kept = rest.prefix(lengthLimit) + (fragment.map { "#".utf8 + $0.prefix(lengthLimit) } ?? [])
    return String(decoding: kept, as: UTF8.self)
  }

  private static func segments(_ path: ArraySlice<UInt8>) -> [String] {
    path.split(separator: UInt8(ascii: "/")).compactMap { segment in
      let bare = segment.prefix { $0 != UInt8(ascii: ";") }
      return bare.isEmpty ? nil : decoded(bare)
    }
  }

  /// Whether the page comes from this machine. The name of such a page leaves out the host, because
  /// there is usually only one site.
  var isLocal: Bool {
    let name = host.hasPrefix("[") ? host : String(host.prefix { $0 != ":" })
    let isLoopback =
      name.hasPrefix("127.") && name.utf8.allSatisfy { $0 == UInt8(ascii: ".") || $0.isDigit }
    return host.isEmpty || name == "localhost" || name.hasSuffix(".localhost") || isLoopback
      || host.hasPrefix("[::1]")
  }

  /// Returns the scheme that RFC 3986 defines, in lower case; nil if there is none, or if it has
  /// more than 20 bytes.
  static func scheme(_ text: ArraySlice<UInt8>) -> String? {
    let head = text.prefix(21)
    guard let end = head.firstIndex(of: UInt8(ascii: ":")), head.first?.isLetter == true else {
      return nil
    }
    let scheme = head[..<end]
    let isOne = scheme.allSatisfy { $0.isLetter || $0.isDigit || "+.-".utf8.contains($0) }
    return isOne ? String(decoding: scheme, as: UTF8.self).lowercased() : nil
  }

  static func host(_ text: ArraySlice<UInt8>, _ scheme: String?) -> String {
    var host = String(decoding: text, as: UTF8.self).lowercased()
    let ownPort = scheme.flatMap { ["http": ":80", "https": ":443"][$0] }
    if let ownPort, host.hasSuffix(ownPort) { host.removeLast(ownPort.count) }
    if host.hasSuffix(".") { host.removeLast() }
    return host
  }

  /// Decodes percent-encoding. Replaces invalid UTF-8.
  static func decoded(_ text: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(\.isHexadecimal),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") && plusIsSpace ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension ArraySlice<UInt8> {
  /// Shortens this slice to the part before the first `separator`.
  /// - Returns: The part after the separator; nil if there is none.
  mutating func cut(at separator: Unicode.Scalar) -> ArraySlice<UInt8>? {
    guard let index = firstIndex(of: UInt8(ascii: separator)) else { return nil }
    defer { self = self[..<index] }
    return self[(index + 1)...]
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  var isHexadecimal: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
}
