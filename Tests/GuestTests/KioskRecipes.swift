import TestSupport

/// The commands of each section of docs/kiosks.md, word for word.
struct KioskRecipes {
  private let sections: [String: [String]]

  init() throws {
    let text = try Project.text("docs/kiosks.md")
    var sections: [String: [String]] = [:]
    for section in text.split(separator: "\n## ").dropFirst() {
      sections[String(section.prefix { $0 != "\n" })] =
        section.matches(of: /\n```sh\n((?s:.*?))```/).map { String($0.1) }
    }
    self.sections = sections
  }

  /// Returns one element for each block of commands.
  func commands(of section: String) throws -> [String] {
    guard let commands = sections[section], !commands.isEmpty else {
      throw Guest.Failure(description: "docs/kiosks.md has no commands in a section \(section)")
    }
    return commands
  }
}
