import Foundation
import TestSupport
import Testing

/// How far each kind of counts reaches into the rest of the sources.
@Suite struct KindTests {
  /// How many files outside of a kind's folders may use one of its types.
  static let mostUsers = 12

  /// The folders of a kind: the one with its types, and those of its part of reports.
  @Test(
    arguments: [
      ("Controls", ["Controls"]), ("Flow", ["Flow", "Flows"]), ("Gestures", ["Gestures"]),
      ("Panel", ["Panel", "PanelHealth", "PanelStates", "PanelTest"]),
    ])
  func `Few files outside of a kind's folders use its types`(
    folder: String, own: [String]
  ) throws {
    let sources = URL(filePath: Project.path("Sources"))
    let found = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    let files = try #require(found).compactMap { $0 as? URL }
      .filter { $0.pathExtension == "swift" }
    func text(_ file: URL) throws -> String {
      try String(contentsOf: file, encoding: .utf8).replacing(#/ *//.*/#, with: "")
    }
    let declaration = #/^(?:public |package )?(?:final )?(?:struct|enum|class|protocol) (\w+)/#
      .anchorsMatchLineEndings()
    let types = try files.filter { $0.path.contains("/TouchModel/\(folder)/") }
      .flatMap { try text($0).matches(of: declaration).map { String($0.output.1) } }
    #expect(types.count > 4)
    let users = try files.filter { file in
      Set(own).isDisjoint(
        with: file.path.dropFirst(sources.path.count).split(separator: "/").map(String.init))
    }.filter { file in
      // A type of the interface may have the same name, as a member of `API`.
      let words = try text(file).matches(of: #/(\.?)\b(\w+)\b/#)
      return words.contains { $0.output.1.isEmpty && types.contains(String($0.output.2)) }
    }
    #expect(!users.isEmpty)
    #expect(users.count <= Self.mostUsers, "\(users.map(\.lastPathComponent).sorted())")
  }
}
