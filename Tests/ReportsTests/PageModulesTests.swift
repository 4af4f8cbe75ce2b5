import Foundation
import Heatmaps
import TestSupport
import Testing

@testable import Reports

/// Tests the form of the page's modules. `ReportPage` joins them to one script, and the page in
/// Cockpit loads each by itself.
@Suite struct PageModulesTests {
  private struct Module {
    let name: String
    let text: String
    var lines: [Substring] { text.split(separator: "\n") }

    /// The names that are declared at the start of a line.
    func declared(exported: Bool) -> Set<String> {
      var names: Set<String> = []
      for match in text.matches(
        of: /(?m)^(export )?(?:async )?(?:const|let|class|function\*?) ([A-Za-z_]\w*)/)
      where !exported || match.1 != nil {
        names.insert(String(match.2))
      }
      return names
    }

    /// The imported names and the modules that they come from.
    var imports: [(name: String, from: String)] {
      text.matches(of: /(?m)^import \{(.*)\} from '\.\/(\w+)\.js';$/).flatMap { match in
        match.1.split(separator: ", ").map { (String($0), String(match.2)) }
      }
    }
  }

  private static func modules() throws -> [Module] {
    let folder = URL(filePath: Project.path("Sources/Insight/Reports/Page"))
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "js" }
      .map {
        Module(
          name: $0.deletingPathExtension().lastPathComponent,
          text: try String(contentsOf: $0, encoding: .utf8))
      }
  }

  @Test func `Each import is on a line of its own, exported by its module, and used`() throws {
    let modules = try Self.modules()
    #expect(modules.count >= 10)
    for module in modules {
      #expect(
        module.lines.filter { $0.hasPrefix("import") }.count
          == Set(module.imports.map(\.from)).count)
      #expect(!module.text.contains("import("), "\(module.name) imports while it runs")
      for (name, from) in module.imports {
        let source = try #require(modules.first { $0.name == from }, "\(module.name): \(from)")
        #expect(source.declared(exported: true).contains(name), "\(module.name): \(name)")
        let uses = module.text.matches(of: try Regex("\\b\(name)\\b").wordBoundaryKind(.simple))
          .count
        #expect(uses > 1, "\(module.name) imports \(name) and does not use it")
      }
    }
  }

  @Test func `In the report each module comes after those that it imports`() throws {
    let page = String(decoding: ReportPage.bytes(Samples.report([])), as: UTF8.self)
    #expect(!page.contains("\nimport ") && !page.contains("\nexport "))
    let modules = try Self.modules()
    func place(_ name: String) throws -> String.Index {
      let module = try #require(modules.first { $0.name == name })
      let title = try #require(module.lines.first)
      #expect(title.hasPrefix("// "), "\(name) does not say what it is")
      return try #require(page.firstRange(of: "\n\(title)\n"), "\(name)").lowerBound
    }
    for module in modules {
      for from in Set(module.imports.map(\.from)) {
        #expect(try place(from) < place(module.name), "\(module.name) comes before \(from)")
      }
    }
  }

  @Test func `No two modules declare the same name`() throws {
    var seen: [String: String] = [:]
    for module in try Self.modules() {
      for name in module.declared(exported: false) {
        #expect(seen[name] == nil, "\(name) in \(module.name) and \(seen[name] ?? "")")
        seen[name] = module.name
      }
    }
  }

  /// Inside a function with a parameter `_`, texts would call the parameter.
  @Test func `Only the function that translates is named _`() throws {
    for module in try Self.modules() {
      #expect(!module.text.contains(/[(,]\s*_\s*[,)=]|\b_\s*=>/), "\(module.name)")
    }
  }

  @Test func `The colours are those of heatmaps`() throws {
    let scale = try #require(try Self.modules().first { $0.name == "scale" })
    let stops = scale.text.matches(of: /\b[0-9a-f]{6}\b/).map { String($0.output) }
    let expected = (0...32).map { step in
      let colour = ColourMap.inferno.colour(at: Double(step) / 32)
      return String(
        format: "%02x%02x%02x", Int(colour.red), Int(colour.green), Int(colour.blue))
    }
    #expect(stops == expected)
  }
}
