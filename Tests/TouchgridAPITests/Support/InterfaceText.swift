import Testing
import Text

/// A small parser of Varlink's interface definition language, for the tests only.
struct InterfaceText {
  indirect enum Kind: Hashable {
    case bool, int, float, string
    case named(String)
    case optional(Kind)
    case list(Kind)
    case dictionary(Kind)
  }

  struct Member: Hashable {
    var name: String
    var kind: Kind
  }

  enum Shape: Hashable {
    case choice([String])
    case structure([Member])
  }

  private(set) var types: [String: Shape] = [:]
  private(set) var methods: [String: (parameters: [Member], reply: [Member])] = [:]
  private(set) var errors: [String: [Member]] = [:]

  private var words: ArraySlice<String>

  init(_ text: String) throws {
    words = Self.words(text)[...]
    try expect("interface")
    _ = try word()
    while let keyword = words.popFirst() {
      let member = try word()
      switch keyword {
      case "type": types[member] = try shape()
      case "error": errors[member] = try structure()
      case "method":
        let parameters = try structure()
        try expect("->")
        methods[member] = (parameters, try structure())
      default: throw Malformed(at: keyword)
      }
    }
  }

  struct Malformed: Error { var at: String }

  private static func words(_ text: String) -> [String] {
    let code = text.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.hasPrefix("  #") }
      .joined(separator: " ")
    var spaced = ""
    for character in code {
      let isAlone = "(),:?".contains(character)
      spaced += isAlone ? " \(character) " : String(character)
      if character == "]" { spaced += " " }
    }
    return spaced.split(separator: " ").map(String.init)
  }

  private mutating func word() throws -> String {
    guard let word = words.popFirst() else { throw Malformed(at: "the end") }
    return word
  }

  private mutating func expect(_ wanted: String) throws {
    let found = try word()
    if found != wanted { throw Malformed(at: found) }
  }

  private mutating func shape() throws -> Shape {
    // `( name : …` and `( )` are structures, and `( name , …` is an enumeration.
    if words.dropFirst(2).first == ":" || words.dropFirst().first == ")" {
      return .structure(try structure())
    }
    try expect("(")
    var names: [String] = []
    repeat { names.append(try word()) } while try word() == ","
    return .choice(names)
  }

  private mutating func structure() throws -> [Member] {
    try expect("(")
    if words.first == ")" {
      words.removeFirst()
      return []
    }
    var members: [Member] = []
    repeat {
      let name = try word()
      try expect(":")
      members.append(Member(name: name, kind: try kind()))
    } while try word() == ","
    return members
  }

  private mutating func kind() throws -> Kind {
    switch try word() {
    case "?": .optional(try kind())
    case "[]": .list(try kind())
    case "[string]": .dictionary(try kind())
    case "bool": .bool
    case "int": .int
    case "float": .float
    case "string": .string
    case let name: .named(name)
    }
  }
}

// MARK: Comparing values with the interface

extension InterfaceText {
  /// Returns the differences between an object and the interface, member by member.
  /// - Parameter isFull: whether every member must be set, including those that may be null.
  func problems(
    _ value: JSONValue, _ members: [Member], isFull: Bool, at path: String = ""
  ) -> [String] {
    guard case .object(let found) = value else { return ["\(path): no object"] }
    var problems = Set(found.map(\.name)).subtracting(members.map(\.name)).sorted()
      .map { "\(path).\($0): not in the interface" }
    for member in members {
      let place = "\(path).\(member.name)"
      if let value = value[member.name] {
        problems += self.problems(value, member.kind, isFull: isFull, at: place)
      } else if isFull {
        problems.append("\(place): missing")
      } else if case .optional = member.kind {
        continue
      } else {
        problems.append("\(place): missing")
      }
    }
    return problems
  }

  private func problems(
    _ value: JSONValue, _ kind: Kind, isFull: Bool, at path: String
  ) -> [String] {
    switch (kind, value) {
    case (.bool, .bool), (.float, .number), (.string, .string): return []
    case (.int, .number(let digits)) where Int64(digits) != nil: return []
    case (.optional(let kind), _):
      return problems(value, kind, isFull: isFull, at: path)
    case (.list(let kind), .array(let elements)):
      let empty = isFull && elements.isEmpty ? ["\(path): the sample is empty"] : []
      return empty + elements.flatMap { problems($0, kind, isFull: isFull, at: path + "[]") }
    case (.dictionary(let kind), .object(let members)):
      return members.flatMap { problems($0.value, kind, isFull: isFull, at: path + "{}") }
    case (.named(let name), _):
      switch (types[name], value) {
      case (.structure(let members), _):
        return problems(value, members, isFull: isFull, at: path)
      case (.choice(let names), .string(let text)):
        return names.contains(text) ? [] : ["\(path): no \(name): \(text)"]
      default: return ["\(path): no \(name): \(value)"]
      }
    default: return ["\(path): \(value) is no \(kind)"]
    }
  }
}
