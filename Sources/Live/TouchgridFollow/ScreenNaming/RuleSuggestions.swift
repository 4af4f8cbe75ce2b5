internal import Text
internal import TouchModel

/// Proposes rules from observed screens: one for each kind of page, and one for each program.
///
/// Pages are of one kind if their addresses differ only in segments that look like numbers or
/// identifiers, or that have many values.
public struct RuleSuggestions: Sendable {
  /// The maximum number of different segments at one position of a path. Beyond it, a parameter
  /// replaces them, except segments whose pages should be masked.
  static let values = 6
  /// The maximum number of addresses and programs that are remembered.
  static let limit = 10_000

  private struct Node {
    var children: [String: Node] = [:]
    var pages = 0
    /// The small numbers that a parameter stands for; empty if it also stands for other values.
    var numbers: [Int] = []

    mutating func add(_ segments: ArraySlice<String>) {
      guard let first = segments.first else {
        pages += 1
        return
      }
      children[first, default: Node()].add(segments.dropFirst())
    }

    mutating func merge(_ other: Node) {
      pages += other.pages
      for (name, child) in other.children { children[name, default: Node()].merge(child) }
    }

    /// Merges children into a parameter where the rules require it.
    mutating func fold() {
      let isParameter = children.count > RuleSuggestions.values
      var folded: [String: Node] = [:]
      var merged: [String] = []
      for (name, child) in children {
        let isFixed =
          RuleSuggestions.isSecret(name) || !isParameter && NameFolding.fold(name) == name
        folded[isFixed ? name : RuleSuggestions.parameter, default: Node()].merge(child)
        if !isFixed { merged.append(name) }
      }
      children = folded
      if merged.count > 1, merged.count <= RuleSuggestions.values,
        merged.allSatisfy({ $0.utf8.count <= 2 && $0.utf8.allSatisfy(\.isDigit) })
      {
        children[RuleSuggestions.parameter]?.numbers = merged.compactMap { Int($0) }.sorted()
      }
      for name in children.keys { children[name]?.fold() }
    }

    /// Returns the paths of all pages, sorted, with fixed segments before parameters.
    func paths(_ before: [String] = [], _ choices: [Choice] = []) -> [Path] {
      let own = pages > 0 ? [Path(segments: before, pages: pages, choices: choices)] : []
      let names = children.keys.sorted {
        ($0 == RuleSuggestions.parameter ? 1 : 0, $0) < (
          $1 == RuleSuggestions.parameter ? 1 : 0, $1
        )
      }
      return own
        + names.flatMap { name -> [Path] in
          guard let child = children[name] else { return [] }
          let choice = Choice(index: before.count, numbers: child.numbers)
          return child.paths(before + [name], choices + (child.numbers.isEmpty ? [] : [choice]))
        }
    }
  }

  private struct Path {
    var segments: [String]
    var pages: Int
    /// The parameters that stand for a few small numbers.
    var choices: [Choice]
  }

  private struct Choice {
    /// The index of the parameter in the path.
    var index: Int
    var numbers: [Int]
  }

  private static let parameter = ":"

  /// The pages by host. All pages of this machine have the host "".
  private var sites: [String: Node] = [:]
  private var apps: [String: Int] = [:]
  private var known: Set<[String]> = []

  public init() {}

  public mutating func add(_ sighting: Observation) {
    guard known.count < Self.limit, sighting.name == nil, !sighting.hasFailed else { return }
    if let page = sighting.url.flatMap({ PageAddress($0) }) {
      guard page.scheme == "http" || page.scheme == "https" else { return }
      let host = page.isLocal ? "" : page.host
      if known.insert([host] + page.segments).inserted {
        sites[host, default: Node()].add(page.segments[...])
      }
    } else if let app = sighting.app, known.insert([app]).inserted || apps[app] != nil {
      apps[app, default: 0] += 1
    }
  }

  /// The proposed rules, as part of a configuration file. Rules for pages state how many pages they
  /// match.
  public var text: String {
    var rules: [String] = []
    for host in sites.keys.sorted() {
      guard var site = sites[host] else { continue }
      site.fold()
      let prefix = sites.count > 1 ? host : ""
      rules += site.paths().map { path in
        rule(prefix, path.segments, path.pages) + question(prefix, path)
      }
    }
    rules += apps.keys.sorted().map { app in
      "[[rule]]\napp = \(quoted(app))\nscreen = \(quoted(ScreenNames.clean(app)))"
    }
    return rules.joined(separator: "\n\n")
  }

  /// Returns a question, as a comment: whether a few small numbers are separate screens, such as
  /// the numbered views of a dashboard, or items, such as the products of a shop.
  private func question(_ host: String, _ path: Path) -> String {
    guard path.choices.count == 1, let choice = path.choices.first else { return "" }
    let numbers = choice.numbers.map { "\($0)" }
    let rules = numbers.map { number in
      var segments = path.segments
      segments[choice.index] = number
      return rule(host, segments, nil)
    }
    let list = numbers.dropLast().joined(separator: ", ") + " and \(numbers[numbers.count - 1])"
    let lines =
      ["If \(list) are screens and not items, use these rules instead:"]
      + rules.flatMap { $0.split(separator: "\n").map(String.init) }
    return lines.map { "\n# \($0)" }.joined()
  }

  /// - Parameter pages: the number of pages that it matches; nil to leave it out.
  private func rule(_ host: String, _ path: [String], _ pages: Int?) -> String {
    var number = 0
    let pattern = path.map { segment in
      guard segment == Self.parameter else { return Self.encoded(segment) }
      number += 1
      return number == 1 ? ":id" : ":id\(number)"
    }
    // A leading colon would make this part of the name a parameter.
    let fixed = path.filter { $0 != Self.parameter }.map { $0.drop { $0 == ":" } }
    var name = ScreenNames.clean(
      fixed.isEmpty ? (path.isEmpty ? ScreenNames.home : "page") : fixed.joined(separator: "/"))
    // This name is reserved for all screens beyond the limit of names.
    if name == ScreenNames.other { name += " page" }
    let isSecret = fixed.contains { Self.isSecret(String($0)) }
    let count = pages.map { $0 == 1 ? "  # 1 page" : "  # \($0) pages" } ?? ""
    return """
      [[rule]]\(count)
      url = \(quoted(host + "/" + pattern.joined(separator: "/")))
      screen = \(quoted(name))
      """ + (isSecret ? "\nmask = true  # touches there may reveal what people type" : "")
  }

  /// Returns whether people probably type something secret, such as a PIN, on a page whose address
  /// has this segment.
  private static func isSecret(_ segment: String) -> Bool {
    let text = segment.lowercased()
    let words = text.split { !$0.isLetter }
    return ["pay", "checkout", "login", "signin", "passw", "passcode"].contains {
      text.contains($0)
    }
      || words.contains { ["pin", "card", "cards", "account", "bank"].contains($0) }
  }

  /// Returns a segment as it is written in a pattern: special characters, spaces, control
  /// characters and all bytes outside of ASCII are percent-encoded.
  private static func encoded(_ segment: String) -> String {
    let special = segment.hasPrefix(":") ? ":" : ""
    return segment.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isSafe = byte > 0x20 && byte != 0x7f && !"%?#*/\"\\\(special)".utf8.contains(byte)
      if isSafe, byte < 0x80 { return String(scalar) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
  }

  private func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      default: scalar.isShown ? String(scalar) : "?"
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}
