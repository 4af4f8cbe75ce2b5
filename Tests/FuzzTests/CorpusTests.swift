import Foundation
import Testing

/// Every input that has been kept goes through its target again.
struct CorpusTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzz/Corpus")

  private static func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `every target has inputs, and every folder of inputs has its target`() throws {
    let targets = FuzzTarget.allCases.map(\.rawValue).sorted()
    #expect(try Self.names(in: Self.corpus) == targets)
    for target in targets {
      #expect(try Self.names(in: Self.corpus.appending(path: target)).count >= 5, "\(target)")
    }
  }

  /// In a process of its own: what was found once would end that of the tests.
  @Test(arguments: FuzzTarget.allCases)
  func `no input ends the process`(target: FuzzTarget) async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { [name = target.rawValue as String] in
      let target = try #require(FuzzTarget(rawValue: name))
      let folder = Self.corpus.appending(path: name)
      for file in try Self.names(in: folder) {
        FileHandle.standardError.write(Data("input \(name)/\(file)\n".utf8))
        target.run(Array(try Data(contentsOf: folder.appending(path: file))))
      }
    }
    // The last that it was given is named above what it has said.
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    if result?.exitStatus != .exitCode(EXIT_SUCCESS) { Issue.record("\(said.suffix(2000))") }
  }
}
