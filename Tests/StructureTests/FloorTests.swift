import Foundation
import TestSupport
import Testing

/// The floors of `Sources`, as docs/architecture.md describes them.
@Suite struct FloorTests {
  /// The floors in order: a target imports only from its own floor and from floors before it.
  static let floors = [
    "Platform", "Model", "Input", "Store", "Service", "Insight", "Live", "Programs",
  ]
  static let mostTargets = 27
  /// The targets that may import each module that `CLinux` declares for a C library of the system.
  /// A program that uses one of these targets links the library.
  static let users = [
    "CLibudev": ["TouchInput"], "CLibevdev": ["Recordings", "TouchInput"],
    "CMtdev": ["TouchInput"], "CSQLite": ["Storage"], "CZlib": ["Heatmaps", "Storage"],
    "CCairo": ["Heatmaps"], "CTurboJPEG": ["Heatmaps"], "CWebP": ["Heatmaps"],
    "CSDBus": ["TouchgridFollow"],
  ]

  private struct Target: Hashable {
    let floor: String
    let name: String
    /// The names of the targets that it imports or declares as dependencies.
    var uses: Set<String> = []

    var rank: Int { FloorTests.floors.firstIndex(of: floor) ?? FloorTests.floors.count }
  }

  private static let root = URL(filePath: Project.path(""))

  private static func folders(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey], options: [.skipsHiddenFiles]
    ).filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
      .map(\.lastPathComponent).sorted()
  }

  /// Returns the targets in the folders of `Sources`, with their imports.
  private static func targets() throws -> [Target] {
    let sources = root.appending(path: "Sources")
    return try folders(in: sources).flatMap { floor in
      try folders(in: sources.appending(path: floor)).map { name in
        let folder = sources.appending(path: floor).appending(path: name)
        return Target(floor: floor, name: name, uses: try imports(in: folder))
      }
    }
  }

  private static func imports(in folder: URL) throws -> Set<String> {
    var imports: Set<String> = []
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: "import"), index < 3, index + 1 < words.count else {
          continue
        }
        // `import struct` and the like are followed by the module, a dot and the name of the
        // declaration.
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let"]
        let module = words[(index + 1)...].first { !kinds.contains($0) } ?? words[index + 1]
        imports.insert(String(module.prefix { $0 != "." }))
      }
    }
    return imports
  }

  /// Returns the targets that `Package.swift` declares with `library`, `cLibrary`, `program` or
  /// `tests`, with their floors and dependencies.
  private static func declared() throws -> [Target] {
    let package = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    let lines = package.replacing(/\/\/ .*/, with: "")
    let calls = lines.matches(
      of: /\b(library|cLibrary|program|tests)\(((?:[^()]|\([^()]*(?:\([^()]*\)[^()]*)*\))*)\)/)
    return calls.compactMap { call in
      var texts = call.2.matches(of: /"([^"]*)"/).map { String($0.1) }
      if call.1 == "program" { texts.insert("Programs", at: 0) }
      if call.1 == "tests", let name = texts.first {
        texts.replaceSubrange(0...0, with: ["Tests", name + "Tests"])
      }
      guard texts.count > 1, (floors + ["Tests"]).contains(texts[0]) else { return nil }
      return Target(floor: texts[0], name: texts[1], uses: Set(texts.dropFirst(2)))
    }
  }

  @Test func `No target uses a target of a later floor`() throws {
    let targets = try Self.targets()
    let floors = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0) })
    for target in targets + (try Self.declared()) {
      for name in target.uses {
        guard let used = floors[name] else { continue }
        #expect(
          used.rank <= target.rank,
          "\(target.name) in \(target.floor) uses \(name) in \(used.floor)")
      }
    }
  }

  /// Swift builds a target again only if a target changes on which it depends by this list.
  @Test func `Every target that is imported is declared as a dependency`() throws {
    let declared = try Self.declared()
    let names = Set(try Self.targets().map(\.name))
    #expect(declared.count { $0.floor == "Tests" } > 15)
    for target in declared {
      let folder =
        target.floor == "Tests" ? target.name : "../Sources/\(target.floor)/\(target.name)"
      let imports = try Self.imports(in: Self.root.appending(path: "Tests/\(folder)"))
      let missing = imports.intersection(names).subtracting(target.uses)
      #expect(missing.subtracting([target.name]).isEmpty, "\(target.name)")
    }
  }

  @Test func `Only its users import a C library of the system`() throws {
    let map = Self.root.appending(path: "Sources/Platform/CLinux/include/module.modulemap")
    let modules = try String(contentsOf: map, encoding: .utf8).matches(
      of: /module (C\w+) \[system\]/)
    #expect(Set(modules.map { String($0.1) }) == Set(Self.users.keys))
    let targets = try Self.targets()
    for (module, users) in Self.users {
      #expect(
        targets.filter { $0.uses.contains(module) }.map(\.name).sorted() == users, "\(module)")
    }
  }

  @Test func `Every folder of a floor is a target that is declared there`() throws {
    let declared = Set(
      try Self.declared().filter { $0.floor != "Tests" }.map { "\($0.floor)/\($0.name)" })
    let targets = try Self.targets()
    #expect(Set(targets.map(\.floor)) == Set(Self.floors))
    // `CGTK` is missing from `declared`, because `Package.swift` declares it with `.systemLibrary`.
    #expect(Set(targets.map { "\($0.floor)/\($0.name)" }).subtracting(declared) == ["Live/CGTK"])
    #expect(targets.count <= Self.mostTargets)
  }
}
