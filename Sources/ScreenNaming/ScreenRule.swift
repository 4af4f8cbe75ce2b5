/// What is seen gets this name: the first rule that matches decides.
public struct ScreenRule: Hashable, Sendable {
  /// What a match means.
  public enum Outcome: Hashable, Sendable {
    /// Nothing is said: the screen stays.
    case ignored
    /// - Parameter name: with `:parameter` in place of what the pattern's parameters are; nil: the pattern's own.
    case screen(name: String?, isMasked: Bool)
  }

  /// A rule that cannot be.
  public struct Refusal: Error, Hashable {
    /// Of the rule's members.
    public let key: String
    /// To be put after the key.
    public let reason: String
  }

  private let address: AddressPattern?
  private let app: Glob?
  private let title: Glob?
  private let outcome: Outcome

  /// - Parameters:
  ///   - url: a pattern such as `/product/:id`, of 1...1024 bytes.
  ///   - app: the whole app id or class, with `*` for any characters.
  ///   - title: the whole title, with `*` for any characters.
  /// - Throws: where a pattern is none, where all three are nil, or where the outcome cannot be named.
  public init(
    url: String? = nil, app: String? = nil, title: String? = nil, _ outcome: Outcome
  ) throws(Refusal) {
    if url == nil, app == nil, title == nil {
      throw Refusal(key: "url", reason: "is missing, or app or title: a rule needs one of them")
    }
    do throws(AddressPattern.Refusal) {
      address = try url.map { text throws(AddressPattern.Refusal) in try AddressPattern(text) }
    } catch {
      throw Refusal(key: "url", reason: error.reason)
    }
    self.app = app.map(Glob.init)
    self.title = title.map(Glob.init)
    self.outcome = outcome
    if case .screen(let name, let isMasked) = outcome {
      let parameters = NameTemplate(name ?? "").parameters
      if isMasked, !parameters.isEmpty {
        throw Refusal(key: "screen", reason: "must be one name where mask is true")
      }
      guard let fixed = name ?? address?.name else {
        throw Refusal(key: "screen", reason: "is missing: the rule has nothing to take a name from")
      }
      guard ScreenNames.clean(fixed) == fixed, fixed != ScreenNames.other else {
        throw Refusal(
          key: "screen",
          reason: "must be 1 to 125 bytes of printable text, and not \"\(ScreenNames.other)\"")
      }
      let known = Set(address?.parameters ?? [])
      if let unknown = parameters.first(where: { !known.contains($0) }) {
        throw Refusal(key: "screen", reason: "has :\(unknown), which is no parameter of the url")
      }
    }
  }

  /// Whether it looks at titles.
  public var needsTitle: Bool { title != nil }

  /// The name that is masked by it; nil where it masks nothing.
  public var maskedName: String? {
    guard case .screen(let name, isMasked: true) = outcome else { return nil }
    return name ?? address?.name
  }

  func match(_ sighting: Sighting, _ page: PageAddress?) -> Outcome? {
    var values: [String: String] = [:]
    if let address {
      guard let found = page.flatMap(address.match) else { return nil }
      values = found
    }
    if let app { guard let seen = sighting.app, app.matches(seen) else { return nil } }
    if let title { guard let seen = sighting.title, title.matches(seen) else { return nil } }
    guard case .screen(let name, let isMasked) = outcome else { return outcome }
    let text = name.map { NameTemplate($0).filled(values) } ?? address?.name ?? ""
    return .screen(name: text, isMasked: isMasked)
  }
}

/// A name with parameters in it, such as `product/:category`.
struct NameTemplate {
  private let segments: [Substring]

  init(_ text: String) { segments = text.split(separator: "/", omittingEmptySubsequences: false) }

  var parameters: [String] {
    segments.filter { $0.hasPrefix(":") && $0 != ":" }.map { String($0.dropFirst()) }
  }

  func filled(_ values: [String: String]) -> String {
    segments.map { segment in
      segment.hasPrefix(":")
        ? values[String(segment.dropFirst())] ?? String(segment) : String(segment)
    }.joined(separator: "/")
  }
}
