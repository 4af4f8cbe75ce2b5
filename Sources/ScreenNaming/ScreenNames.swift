internal import TouchModel

/// Names what is seen: by rules, and where none matches as well as can be. However much is seen, the names are few, short
/// and printable.
public struct ScreenNames: Sendable {
  public struct Options: Hashable, Sendable {
    /// Parameters of query strings that become part of a page's name, in this order.
    public var query: [String] = []
    /// The fragment becomes part of a page's name.
    public var fragment = false
    public init() {}
  }

  public enum Answer: Hashable, Sendable {
    /// Nothing is said: the screen stays.
    case ignored
    /// 1...128 bytes of printable text.
    case screen(String, isMasked: Bool)
  }

  /// What the page of an empty path is called.
  static let home = "home"
  /// What everything is called that comes after the last new name.
  public static let other = SessionRecorder.otherScreen
  /// A session has room for 256 screens, of which others may name some.
  public static let limit = 200
  /// In microseconds, as long as a session is unless it is configured to be longer: a name that was not seen for as long
  /// makes room for another.
  static let memory: Int64 = 2 * 3600 * 1_000_000

  private let rules: [ScreenRule]
  private let options: Options
  /// Of rules that mask, and of whoever else does: another name would unmask what is shown.
  private let masked: Set<String>
  /// When each was seen last.
  private var known: [String: Int64] = [:]
  /// More names would have been needed.
  public private(set) var isFull = false

  /// - Parameter masked: names that somebody else masks, such as the daemon's configuration: they are kept however many
  ///   names there are.
  public init(
    rules: [ScreenRule] = [], options: Options = Options(), masked: Set<String> = []
  ) {
    self.rules = rules
    self.options = options
    self.masked = masked.union(rules.compactMap(\.maskedName))
  }

  /// - Parameter time: of the sighting, in microseconds of any clock that does not go back.
  public mutating func name(_ sighting: Sighting, at time: Int64) -> Answer {
    if let name = sighting.name { return answer(name, time) }
    let page = sighting.url.flatMap { PageAddress($0) }
    for rule in rules {
      switch rule.match(sighting, page) {
      case nil: continue
      case .ignored: return .ignored
      case .screen(let name, _): return answer(name ?? "", time)
      }
    }
    return answer(defaultName(sighting, page), time)
  }

  private mutating func answer(_ text: String, _ time: Int64) -> Answer {
    let name = Self.clean(text)
    // Masks hold by name.
    if masked.contains(name) { return .screen(name, isMasked: true) }
    if known[name] == nil, known.count >= Self.limit {
      known = known.filter { time - $0.value < Self.memory }
      guard known.count < Self.limit else {
        isFull = true
        return .screen(Self.other, isMasked: false)
      }
    }
    known[name] = time
    return .screen(name, isMasked: false)
  }

  // MARK: Without a rule

  private func defaultName(_ sighting: Sighting, _ page: PageAddress?) -> String {
    guard let page else { return sighting.app ?? "" }
    switch page.scheme {
    case "http", "https", "file": break
    // What is shown where a page could not be loaded.
    case "chrome-error": return "error"
    default: return page.scheme
    }
    var path = page.segments
    if let last = path.last { path[path.count - 1] = Self.withoutEnding(last) }
    // Of a file the folders above are of this machine alone.
    if page.scheme == "file" { path = path.suffix(1) }
    if let last = path.last, last == "index" { path.removeLast() }
    var parts = (path + (options.fragment ? page.fragment : [])).map(Folding.fold)
    if parts.isEmpty { parts = [Self.home] }
    if !page.isLocal { parts.insert(page.host, at: 0) }
    let parameters = options.query.compactMap { name in
      page.query.first { $0.name == name }.map { "\(name)=\(Folding.fold($0.value))" }
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

  /// The text in normal form C, as names are kept. What may not be in a name is replaced, and what is
  /// too long is cut off.
  static func clean(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var bytes = 0
    var isCut = false
    // Of a title of a million scalars no more is normalised than a name can need.
    let start = text.unicodeScalars.drop(while: { $0 == " " }).prefix(512)
    for scalar in String(start).normalised.unicodeScalars {
      let next: Unicode.Scalar = scalar.isShown ? scalar : "\u{fffd}"
      bytes += UTF8.width(next)
      // Three bytes are kept for what tells that more follows.
      if bytes > 125 {
        isCut = true
        break
      }
      result.append(next)
    }
    while result.last == " " { result.removeLast() }
    return result.isEmpty ? "unnamed" : String(result) + (isCut ? "…" : "")
  }
}
