public import ConfigurationFiles
internal import Glibc
internal import Text
internal import TouchModel

extension FollowConfiguration {
  /// Reads a configuration from TOML text. A missing key gets its default.
  /// - Parameters:
  ///   - text: At most 1 MiB.
  ///   - file: The name of the file in error messages.
  /// - Throws: All errors in the text, or only the syntax error if the text cannot be parsed.
  public init(text: String, file: String) throws(ConfigurationError) {
    var document = try ConfigurationDocument<FollowSection>(text: text, file: file)
    self.init()
    for var reader in document.readers(.daemon) {
      if let path = reader.text("socket", "a path in quotes") {
        socket = Self.path(path, "socket", &reader)
      }
      document.add(reader)
    }
    for var reader in document.readers(.names) {
      names.query = Self.texts(&reader, "query", "names of parameters such as [\"page\"]") ?? []
      names.fragment = reader.boolean("fragment") ?? false
      document.add(reader)
    }
    for var reader in document.readers(.source) {
      if let source = Source(&reader) {
        if sources.contains(source) {
          reader.report("kind", "the file has this source twice; remove one")
        } else if source.kind == .extension, hasExtension {
          reader.report("kind", "only one source may have kind = \"extension\"")
        }
        sources.append(source)
      }
      document.add(reader)
    }
    var masked: Set<String> = []
    for var reader in document.readers(.rule) {
      if let rule = Self.rule(&reader) {
        rules.append(rule)
        if let name = rule.maskedName, masked.insert(name).inserted,
          masked.count == Masks.shareLimit + 1
        {
          excess = Self.excess(reader)
        }
      }
      document.add(reader)
    }
    guard document.problems.isEmpty else { throw ConfigurationError(document.problems) }
  }

  private static func excess(_ reader: SectionReader<FollowSection>) -> ConfigurationError {
    var reader = reader
    reader.report(
      "mask",
      "with this rule, more screens are masked than the daemon accepts (\(Masks.shareLimit) from "
        + "all clients together); give several rules with mask = true the same screen")
    return ConfigurationError(reader.problems)
  }

  static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  private static func rule(_ reader: inout SectionReader<FollowSection>) -> ScreenRule? {
    let url = reader.text("url", "a pattern in quotes such as \"/product/:id\"")
    let app = reader.text("app", "an app id or a class in quotes such as \"chromium*\"")
    let title = reader.text("title", "a pattern in quotes such as \"*Checkout*\"")
    let screen = reader.name("screen", such: "product")
    let isMasked = reader.boolean("mask") ?? false
    let isIgnored = reader.boolean("ignore") ?? false
    guard reader.problems.isEmpty else { return nil }
    if isIgnored, screen != nil || isMasked {
      reader.report(
        "ignore", "ignore = true cannot be combined with screen or mask"
      )
      return nil
    }
    do throws(ScreenRule.Refusal) {
      return try ScreenRule(
        url: url, app: app, title: title,
        isIgnored ? .ignored : .screen(name: screen, isMasked: isMasked))
    } catch {
      reader.report(error.key, "\(error.key) \(error.reason)")
      return nil
    }
  }

  fileprivate static func path(
    _ path: String, _ key: String, _ reader: inout SectionReader<FollowSection>
  ) -> String? {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      reader.report(key, "\(key) must be an absolute path, not \(path.quoted)")
      return nil
    }
    return path
  }

  fileprivate static func texts(
    _ reader: inout SectionReader<FollowSection>, _ key: String, _ wanted: String
  ) -> [String]? {
    guard let list = reader.list(key, "a list of \(wanted)") else { return nil }
    var texts: [String] = []
    for (value, line) in list {
      guard let text = value.string, !text.isEmpty, !text.utf8.contains(0) else {
        reader.report(line: line, "\(key) must be a list of \(wanted)")
        return nil
      }
      texts.append(text)
    }
    return texts
  }
}

extension FollowConfiguration.Source {
  private enum Name: String, CaseIterable {
    case devtools, `extension`, wayland, x11, pipe, command

    /// Whether a source of this kind can find controls.
    var hasControls: Bool { [.devtools, .extension, .wayland, .x11].contains(self) }

    /// The key that a source of this kind may have besides `kind` and `display`; nil if there is
    /// none.
    var key: String? {
      switch self {
      case .devtools: "port"
      case .pipe: "path"
      case .command: "command"
      case .wayland: "output"
      case .x11, .extension: nil
      }
    }
  }

  fileprivate init?(_ reader: inout SectionReader<FollowSection>) {
    let display = reader.name("display", such: "HDMI-A-1")
    guard reader.contains("kind") else {
      let kinds = Name.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      reader.report("kind", "kind is missing: one of \(kinds)")
      return nil
    }
    guard let name: Name = reader.choice("kind") else { return nil }
    for key in ["port", "path", "command", "output"] where key != name.key && reader.contains(key) {
      reader.report(key, "a source of kind = \"\(name.rawValue)\" has no key \(key)")
    }
    let controls = reader.boolean("controls")
    if controls != nil, !name.hasControls {
      reader.report(
        "controls", "a source of kind = \"\(name.rawValue)\" does not know where controls are")
    }
    guard let kind = Self.kind(name, &reader), reader.problems.isEmpty else { return nil }
    self.init(kind, display: display, controls: controls ?? false)
  }

  private static func kind(
    _ name: Name, _ reader: inout SectionReader<FollowSection>
  ) -> Kind? {
    switch name {
    case .wayland: return .wayland(output: reader.name("output", such: "HDMI-A-1"))
    case .x11: return .x11
    case .extension: return .extension
    case .devtools:
      let port = reader.integer("port", in: 1...65_535)
      if port == nil, !reader.contains("port") {
        reader.report(
          "port", "port is missing: the number given to Chromium's --remote-debugging-port")
      }
      return port.map { .devTools(port: $0) }
    case .pipe:
      guard reader.contains("path") else {
        reader.report("path", "path is missing: a named pipe, or \"-\" for standard input")
        return nil
      }
      guard let path = reader.text("path", "a path in quotes") else { return nil }
      if path == "-" { return .pipe(path: path) }
      return FollowConfiguration.path(path, "path", &reader).map { .pipe(path: $0) }
    case .command:
      let wanted = "strings: a program and its arguments, such as [\"game-screens\", \"--follow\"]"
      let words = FollowConfiguration.texts(&reader, "command", wanted)
      if words?.isEmpty ?? !reader.contains("command") {
        reader.report("command", "command must be a list of \(wanted)")
      }
      return words.flatMap { $0.isEmpty ? nil : .command($0) }
    }
  }
}
