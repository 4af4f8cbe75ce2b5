/// A rule that names the screens that it matches. The first matching rule decides.
public struct ScreenRule: Hashable, Sendable {
  /// The effect of a matching rule.
  public enum Outcome: Hashable, Sendable {
    /// No name: the screen stays as it is.
    case ignored
    /// - Parameter name: The name, in which `:parameter` stands for the value of that parameter of
    ///   the pattern; nil for the name of the pattern.
    case screen(name: String?, isMasked: Bool)
  }

  /// The reason why a rule is invalid.
  public struct Refusal: Error, Hashable {
    /// The invalid key of the rule.
    public let key: String
    /// The reason, to be printed after the key.
    public let reason: String
  }

  private let address: AddressPattern?
  private let app: Glob?
  private let title: Glob?
  private let outcome: Outcome

  /// - Parameters:
  ///   - url: A pattern such as `/product/:id`, of 1 to 1,024 bytes.
  ///   - app: A pattern for the whole app ID or class, in which `*` stands for any characters.
  ///   - title: A pattern for the whole title, in which `*` stands for any characters.
  /// - Throws: If the pattern is invalid, if all three are nil, or if the outcome has no valid
  ///   name.
  public init(
    url: String? = nil, app: String? = nil, title: String? = nil, _ outcome: Outcome
  ) throws(Refusal) {
    if url == nil, app == nil, title == nil {
      throw Refusal(key: "url", reason: "is missing: a rule needs url, app or title")
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
        throw Refusal(key: "screen", reason: "must not contain a :parameter if mask is true")
      }
      guard let fixed = name ?? address?.name else {
        throw Refusal(
          key: "screen",
          reason: "is missing: the rule has no url with a fixed part that could be the name")
      }
      guard ![ScreenNames.failed, ScreenNames.maskedFailed].contains(fixed) else {
        throw Refusal(
          key: "screen", reason: "must not be the name of a page that could not be loaded")
      }
      guard ScreenNames.clean(fixed) == fixed, fixed != ScreenNames.other else {
        throw Refusal(
          key: "screen",
          reason: (name == nil ? "is missing: the name that follows from url " : "")
            + "must be 1 to 125 bytes of printable text, and not \"\(ScreenNames.other)\"")
      }
      let known = Set(address?.parameters ?? [])
      if let unknown = parameters.first(where: { !known.contains($0) }) {
        throw Refusal(key: "screen", reason: "has :\(unknown), but the url has no such parameter")
      }
    }
  }

  public var needsTitle: Bool { title != nil }

  /// The name of the screen that the rule masks; nil if it masks none.
  public var maskedName: String? {
    guard case .screen(let name, isMasked: true) = outcome else { return nil }
    return name ?? address?.name
  }

  func match(_ sighting: Observation, _ page: PageAddress?) -> Outcome? {
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

/// A name that may contain parameters, such as `product/:category`.
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
