import TestSupport
import Testing
import Text
import TouchModel

@testable import ConfigurationFiles
@testable import TouchgridDaemon

/// The reader handles any file, no matter how damaged it is.
struct ConfigurationMutationTests {
  /// Text fragments of valid and of invalid files.
  private static let pieces = [
    "[", "]", "[[", "]]", "{", "}", "=", ".", ",", "\"", "'", "\"\"\"", "'''", "\\", "#", "\n",
    "\r", "\r\n", "\0", "\u{feff}", "é", "\\u0000", "\\ud800", "\\U0010ffff", "-", "+", "_", "nan",
    "inf", "1e999", "0x7fffffffffffffff", "9223372036854775808", "-9223372036854775808", "9d",
    "1979-05-27T07:32:00Z", "true", "[[device]]\n", "[[display]]\n", "match = \"a\"\n",
    "name = \"b\"\n", "width = 1\n", "height = 16384\n", "scale = 0.25\n", "x = [1, 2]\n",
    "calibration = \"1 0 0 0 1 0\"\n", "[[mask]]\n", "screen = \"c\"\n", "block_size = 1\n",
    "session.", "= {a.b = [", "\u{1b}[2J",
  ]

  private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    let place = Int.random(in: 0...bytes.count, using: &generator)
    let length = Int.random(in: 0...min(40, bytes.count - place), using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
    case 1: bytes.removeSubrange(place..<place + length)
    case 2: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
    case 3 where place < bytes.count:
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 4: bytes.removeSubrange(place...)
    default:
      let piece = pieces.randomElement(using: &generator) ?? ""
      bytes.replaceSubrange(place..<place + min(length, 8), with: Array(piece.utf8))
    }
  }

  /// Returns the installed file without comments, so that more mutations hit lines that are read.
  private static func seed(examples: Bool) throws -> [UInt8] {
    let text = try ConfigurationFileTests.installedText()
    let lines = text.split(separator: "\n").compactMap { line -> Substring? in
      if !line.hasPrefix("#") { return line }
      return examples && line.dropFirst().first?.isWhitespace == false ? line.dropFirst() : nil
    }
    return Array(lines.joined(separator: "\n").utf8)
  }

  @Test(arguments: [false, true])
  func `Mutations of the installed file are read or refused without a trap`(examples: Bool)
    throws
  {
    var generator = SeededGenerator(seed: examples ? 2 : 1)
    let original = try Self.seed(examples: examples)
    let lineLimit = original.count + 1000
    var accepted = 0
    var refused = 0
    for _ in 0..<3000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...2, using: &generator) { Self.mutate(&bytes, &generator) }
      do throws(ConfigurationError) {
        let configuration = try Configuration(bytes: bytes, file: "t.toml")
        accepted += 1
        #expect(configuration.session.maxDuration > configuration.session.idleTimeout)
        #expect(!configuration.grid.layers.isEmpty)
        #expect(configuration.explanation.split(separator: "\n").allSatisfy { $0.count <= 80 })
      } catch {
        refused += 1
        let shown = error.problems.allSatisfy {
          $0.description.unicodeScalars.allSatisfy(\.isShown)
            && (1...lineLimit).contains($0.line ?? 1) && !$0.message.isEmpty
        }
        #expect(!error.problems.isEmpty && shown, "\(error)")
      }
    }
    // Both outcomes occurred.
    #expect(accepted > 100)
    #expect(refused > 1000)
  }

  @Test func `Random text of TOML fragments does not trap`() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<3000 {
      let count = Int.random(in: 0...30, using: &generator)
      let text = (0..<count).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }
        .joined()
      let first = Result { try Configuration(text: text, file: "t") }
      let second = Result { try Configuration(text: text, file: "t") }
      #expect((try? first.get()) == (try? second.get()))
    }
  }
}
