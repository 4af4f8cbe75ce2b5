internal import Text
internal import TouchModel

/// Names the observed screens: by rules, or else by address or app. The names are few, short and
/// printable, no matter how many screens are observed.
public struct ScreenNames: Sendable {
  public struct Options: Hashable, Sendable {
    /// The parameters of query strings that become part of a page's name, in this order.
    public var query: [String] = []
    /// Whether the fragment becomes part of a page's name.
    public var fragment = false
    public init() {}
  }

  public enum Answer: Hashable, Sendable {
    /// No name: the screen stays as it is.
    case ignored
    /// A name of 1 to 128 bytes of printable text.
    case screen(String, isMasked: Bool)
  }

  /// The name of a page with an empty path.
  static let home = "home"
  /// The name of a page that could not be loaded. No path can have this name, because segments with
  /// an `@` are folded.
  static let failed = "@error"
  /// The name of a page that could not be loaded and would have been masked. This name is masked.
  static let maskedFailed = "@error/masked"
  /// The name that earlier versions used for some pages that could not be loaded.
  private static let formerFailed = "error"
  /// The name of all screens beyond `limit`.
  public static let other = SessionRecorder.otherScreen
  /// The maximum number of names. A session can hold 256 screens, and other clients may name some
  /// of them.
  public static let limit = 200
  /// The time, in µs, after which a name that was not observed makes room for another. It equals
  /// the default maximum length of a session.
  static let memory: Int64 = 2 * 3600 * 1_000_000

  /// The longest address and title, together in bytes, whose names are cached.
  private static let length = 32 << 10

  private let rules: [ScreenRule]
  private let options: Options
  /// The names that are masked by rules or elsewhere. They are never replaced by `other`, because
  /// another name would unmask the screen.
  private let masked: Set<String>
  /// The names in `masked` of which only a part, or one display, is masked.
  private let partlyMasked: Set<String>
  /// The time at which each name was last observed, in µs.
  private var known: [String: Int64] = [:]
  /// The cache of `allNames`.
  private var found: [Observation: [String]] = [:]
  /// Whether there were more screens than names.
  public private(set) var isFull = false

  /// - Parameter masked: Names that are masked elsewhere, such as by the daemon's configuration.
  ///   They are used even if there are too many names.
  /// - Parameter partlyMasked: Those of them of which only a part, or one display, is masked.
  public init(
    rules: [ScreenRule] = [], options: Options = Options(), masked: Set<String> = [],
    partlyMasked: Set<String> = []
  ) {
    self.rules = rules
    self.options = options
    let own = Set(rules.compactMap(\.maskedName))
    self.masked = masked.union(own)
    self.partlyMasked = partlyMasked.subtracting(own)
  }

  /// Returns the name of an observed screen.
  /// - Parameter time: The time of the observation, in µs on any clock that never goes back.
  public mutating func name(_ sighting: Observation, at time: Int64) -> Answer {
    if let name = sighting.name { return answer(name, time) }
    if let name = maskedName(sighting) { return .screen(name, isMasked: true) }
    if sighting.hasFailed { return answer(Self.failed, time) }
    let own = allNames(sighting).first
    // A browser's own page can only have covers.
    let isNameless = sighting.url == nil && sighting.app == nil && !sighting.covers.isEmpty
    return own.flatMap { isNameless ? nil : answer($0, time) } ?? .ignored
  }

  /// Returns the masked name of a page or a window; nil if it is not masked.
  mutating func maskedName(_ sighting: Observation) -> String? {
    guard sighting.name == nil else { return nil }
    let names = ([sighting] + sighting.covers).flatMap { allNames($0) }.filter(masked.contains)
    // Prefer a mask of the whole screen, which covers the others.
    let mask = names.first { !partlyMasked.contains($0) } ?? names.first
    guard sighting.hasFailed else { return mask }
    return mask.map { _ in Self.maskedFailed }
      ?? [Self.failed, Self.formerFailed].first(where: masked.contains)
  }

  /// Returns all names whose masks hold for a page or a window itself: its own name and, if its
  /// default name has placeholders (`NameFolding`), that name as well.
  private mutating func allNames(_ sighting: Observation) -> [String] {
    var single = sighting
    single.covers = []
    let length = (sighting.url?.utf8.count ?? 0) + (sighting.title?.utf8.count ?? 0)
    guard length <= Self.length else { return findNames(single) }
    if let known = found[single] { return known }
    // A browser may have many pages with long addresses, and report one after the other.
    if found.count >= Self.limit { found = [:] }
    let names = findNames(single)
    found[single] = names
    return names
  }

  private func findNames(_ sighting: Observation) -> [String] {
    guard let own = ownName(sighting) else { return [] }
    guard let page = sighting.url.flatMap({ PageAddress($0) }) else { return [own] }
    let folded = defaultName(sighting, page)
    let isFolded = NameFolding.placeholders.contains { folded.contains($0) }
    return isFolded ? [own, Self.clean(folded)] : [own]
  }

  /// Returns the name of a page or a window by itself; nil if a rule ignores it.
  private func ownName(_ sighting: Observation) -> String? {
    let page = sighting.url.flatMap { PageAddress($0) }
    for rule in rules {
      switch rule.match(sighting, page) {
      case nil: continue
      case .ignored: return nil
      case .screen(let name, _): return Self.unreserved(Self.clean(name ?? ""))
      }
    }
    return Self.clean(defaultName(sighting, page))
  }

  /// Returns a name from the parameters of a rule, changed if it is reserved for failed pages.
  private static func unreserved(_ name: String) -> String {
    [failed, maskedFailed].contains(name) ? NameFolding.fold(name) : name
  }

  private mutating func answer(_ text: String, _ time: Int64) -> Answer {
    let name = Self.clean(text)
    // Masks apply to names, so a masked name is never replaced.
    if masked.contains(name) { return .screen(name, isMasked: true) }
    if known[name] == nil, known.count >= Self.limit {
      // A screen that a mask of `other` covers must not get a name without a mask later.
      let isMasked = masked.contains(Self.other)
      if !isMasked { known = known.filter { time - $0.value < Self.memory } }
      guard known.count < Self.limit else {
        isFull = true
        return .screen(Self.other, isMasked: isMasked)
      }
    }
    known[name] = time
    return .screen(name, isMasked: false)
  }

  // MARK: Without a rule

  private func defaultName(_ sighting: Observation, _ page: PageAddress?) -> String {
    guard let page else { return sighting.app ?? "" }
    switch page.scheme {
    case "http", "https", "file": break
    // Chromium's scheme for a page that could not be loaded.
    case "chrome-error": return "error"
    default: return page.scheme
    }
    var path = page.segments
    if let last = path.last { path[path.count - 1] = Self.withoutEnding(last) }
    // Leave out the folders of a file, because they are specific to this machine.
    if page.scheme == "file" { path = path.suffix(1) }
    if let last = path.last, last == "index" { path.removeLast() }
    var parts = (path + (options.fragment ? page.fragment : [])).map(NameFolding.fold)
    if parts.isEmpty { parts = [Self.home] }
    if !page.isLocal { parts.insert(page.host, at: 0) }
    let parameters = options.query.compactMap { name in
      page.query.first { $0.name == name }.map { "\(name)=\(NameFolding.fold($0.value))" }
    }
    let query = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
    return parts.joined(separator: "/") + query
  }

  private static func withoutEnding(_ file: String) -> String {
    for ending in [".html", ".htm", ".xhtml", ".php", ".aspx", ".jsp"] where file.hasSuffix(ending)
    {
      return String(file.dropLast(ending.count))
    }
    return file
  }

  // MARK: Any name

  /// Returns the text as a valid name in Unicode normalization form C. Invalid characters are
  /// replaced, and text that is too long is cut off. Text without a legible character is "unnamed".
  static func clean(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var bytes = 0
    var isCut = false
    // A title may have a million scalars. Normalize no more than a name can need.
    let start = text.unicodeScalars.drop(while: { $0 == " " }).prefix(512)
    for scalar in String(start).normalised.unicodeScalars {
      let next: Unicode.Scalar = scalar.isShown ? scalar : "\u{fffd}"
      bytes += UTF8.width(next)
      // Three bytes are reserved for the ellipsis.
      if bytes > 125 {
        isCut = true
        break
      }
      result.append(next)
    }
    while result.last == " " { result.removeLast() }
    return (String(result) + (isCut ? "…" : "")).asName ?? "unnamed"
  }
}
