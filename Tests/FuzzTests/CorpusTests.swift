import Foundation
import TestSupport
import Testing

/// Runs every input of the corpus through its target.
struct CorpusTests {
  private static let corpus = URL(filePath: Project.path("Fuzz/Corpus"))

  private static func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `Every fuzz target has inputs, and every folder of inputs has a target`() throws {
    let targets = FuzzTarget.allCases.map(\.rawValue).sorted()
    #expect(try Self.names(in: Self.corpus) == targets)
    for target in targets {
      #expect(try Self.names(in: Self.corpus.appending(path: target)).count >= 5, "\(target)")
    }
  }

  /// In a process of its own, because an input that ends the process would end all tests.
  @Test(.timeLimit(.minutes(5)), arguments: FuzzTarget.allCases)
  func `No input ends the process`(target: FuzzTarget) async throws {
    let name = target.rawValue
    let last = FileManager.default.temporaryDirectory
      .appending(path: "touchgrid-fuzz-\(name)-\(getpid())")
    defer { try? FileManager.default.removeItem(at: last) }
    await #expect(processExitsWith: .success) { [name = name as String, last = last as URL] in
      let target = try #require(FuzzTarget(rawValue: name))
      let folder = Self.corpus.appending(path: name)
      for file in try Self.names(in: folder) {
        try Data(file.utf8).write(to: last)
        target.run(Array(try Data(contentsOf: folder.appending(path: file))))
      }
      try FileManager.default.removeItem(at: last)
    }
    if let file = try? String(contentsOf: last, encoding: .utf8) {
      Issue.record("Fuzz/run try \(name) Fuzz/Corpus/\(name)/\(file)")
    }
  }
}
