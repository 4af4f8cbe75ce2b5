internal import Text
internal import TouchModel

/// A pattern for the addresses of a rule's pages, such as `/product/:id`, `shop.example/checkout/*`
/// or `https://shop.example/app#/pay`.
///
/// `:name` matches any one segment of the path. `*` matches any characters within a segment; as the
/// last segment it matches all segments that follow, or none. A pattern without a host matches
/// every host; one without a scheme matches `http`, `https` and `file`. Query strings are ignored
/// wherever they stand. Fragments are compared only if the pattern has one.
struct AddressPattern: Hashable, Sendable {
  struct Refusal: Error, Hashable {
    /// The reason, to be printed after "url".
    let reason: String
  }

  private enum Segment: Hashable, Sendable {
    case text(Glob)
    case parameter(String)
    case rest
  }

  private let schemes: Set<String>
  private let host: Glob?
  private let path: [Segment]
  /// nil matches every fragment.
  private let fragment: [Segment]?
  /// The name of the pages if the rule has none: the segments of the pattern without a star or a
  /// parameter, joined by slashes; nil if there are none.
  let name: String?

  /// The names of the parameters in the pattern.
  var parameters: [String] {
    (path + (fragment ?? [])).compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }

  init(_ text: String) throws(Refusal) {
    guard (1...1024).contains(text.utf8.count) else {
      throw Refusal(reason: "must be 1 to 1,024 bytes long")
    }
    var rest = Array(text.utf8)[...]
    guard !rest.contains(UInt8(ascii: "?")) else {
      throw Refusal(reason: "must not contain a ?, because rules ignore query strings")
    }
    let fragmentText = rest.cut(at: "#").map { $0.drop { $0 == UInt8(ascii: "!") } }
    var scheme: String?
    let before = rest.prefix { $0 != UInt8(ascii: "/") }
    if before.last == UInt8(ascii: ":"), rest.dropFirst(before.count).starts(with: "//".utf8) {
      scheme = PageAddress.scheme(before)
      guard let scheme, scheme.utf8.count == before.count - 1 else {
        throw Refusal(reason: "must begin with a path, a host, or a scheme such as https://")
      }
      rest = rest.dropFirst(before.count + 2)
    }
    schemes = scheme.map { [$0] } ?? ["http", "https", "file"]
    host = try Self.host(rest.prefix { $0 != UInt8(ascii: "/") }, scheme)
    rest = rest.drop { $0 != UInt8(ascii: "/") }
    guard !rest.isEmpty else {
      let start = String(text.prefix { $0 != "#" }).printable(limit: 100)
      throw Refusal(
        reason: "must have a path after the host, before any #: \(start)/* for all pages, "
          + "\(start)/pay for one")
    }
    path = try Self.segments(rest)
    fragment = try fragmentText.map { text throws(Refusal) in try Self.segments(text) }
    var seen: Set<String> = []
    for case .parameter(let parameter) in path + (fragment ?? []) {
      guard seen.insert(parameter).inserted else {
        throw Refusal(reason: "has the parameter :\(parameter) twice")
      }
    }
    let parts: [ArraySlice<UInt8>] = [rest, fragmentText ?? []]
    let fixed = parts.flatMap { $0.split(separator: UInt8(ascii: "/")) }
      .filter { $0.first != UInt8(ascii: ":") && !$0.contains(UInt8(ascii: "*")) }
    name =
      fixed.isEmpty ? nil : fixed.map { text in PageAddress.decoded(text) }.joined(separator: "/")
  }

  private static func host(
    _ text: ArraySlice<UInt8>, _ scheme: String?
  ) throws(Refusal) -> Glob? {
    guard !text.isEmpty else { return nil }
    guard text.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "@") }) else {
      throw Refusal(
        reason:
          "must have a host as browsers write it: without a user name, with xn--… for non-ASCII letters"
      )
    }
    return Glob(PageAddress.host(text, scheme))
  }

  private static func segments(_ text: ArraySlice<UInt8>) throws(Refusal) -> [Segment] {
    let texts = text.split(separator: UInt8(ascii: "/"))
    var segments: [Segment] = []
    for (index, text) in texts.enumerated() {
      if text.elementsEqual("*".utf8), index == texts.count - 1 {
        segments.append(.rest)
      } else if text.first == UInt8(ascii: ":") {
        let name = text.dropFirst()
        guard !name.isEmpty,
          name.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") })
        else {
          throw Refusal(
            reason:
              "has the invalid segment \(String(decoding: text, as: UTF8.self).printable(limit: 100)): a "
              + "parameter is a colon and letters, digits or _, such as :id")
        }
        segments.append(.parameter(String(decoding: name, as: UTF8.self)))
      } else {
        segments.append(.text(Glob(text) { PageAddress.decoded($0) }))
      }
    }
    return segments
  }

  /// Compares the pattern with an address.
  /// - Returns: The values of the parameters; nil if the pattern does not match.
  func match(_ address: PageAddress) -> [String: String]? {
    guard schemes.contains(address.scheme), host?.matches(address.host) ?? true else { return nil }
    var values: [String: String] = [:]
    guard Self.match(path, address.segments, &values) else { return nil }
    guard let fragment else { return values }
    return Self.match(fragment, address.fragment, &values) ? values : nil
  }

  private static func match(
    _ pattern: [Segment], _ segments: [String], _ values: inout [String: String]
  ) -> Bool {
    for (index, part) in pattern.enumerated() {
      if part == .rest { return true }
      guard index < segments.count else { return false }
      switch part {
      case .text(let glob): if !glob.matches(segments[index]) { return false }
      case .parameter(let name): values[name] = segments[index]
      case .rest: break
      }
    }
    return pattern.count == segments.count
  }
}
