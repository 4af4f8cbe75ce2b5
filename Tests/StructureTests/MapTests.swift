import Foundation
import TestSupport
import Testing

/// The table "Where to change what" of docs/architecture.md.
@Suite struct MapTests {
  private static let root = URL(filePath: Project.path(""))

  /// Returns the paths of all files and folders of a folder, without `.swift`.
  private static func paths(in folder: String) -> Set<String> {
    var paths: Set<String> = []
    let found = FileManager.default.enumerator(
      at: root.appending(path: folder), includingPropertiesForKeys: nil)
    while let file = found?.nextObject() as? URL {
      paths.insert(
        (file.pathExtension == "swift" ? file.deletingPathExtension() : file).path())
    }
    return Set(paths.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 })
  }

  @Test func `Every path in the table exists`() throws {
    let page = try String(
      contentsOf: Self.root.appending(path: "docs/architecture.md"), encoding: .utf8)
    let parts = page.components(separatedBy: "\n## Where to change what\n")
    try #require(parts.count == 2)
    let table = parts[1]
    let sources = Self.paths(in: "Sources")
    let names = table.matches(of: /`([A-Za-z+\-.]+(?:\/[A-Za-z+\-.]+)+)`/).map { String($0.1) }
    #expect(names.count > 30)
    for name in names {
      let isFile = FileManager.default.fileExists(atPath: Self.root.appending(path: name).path())
      #expect(isFile || sources.contains { $0.hasSuffix("/" + name) }, "\(name)")
    }
  }
}
