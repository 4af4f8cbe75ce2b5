import Glibc
import Testing

@Suite struct GoldenTests {
  static let folder =
    #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Golden"

  static let names: [String] = {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".txt") { names.append(String(name.dropLast(4))) }
    }
    return names.sorted()
  }()

  @Test func `All 34 golden texts are found`() { #expect(Self.names.count == 34) }

  @Test(arguments: names)
  func `The frames of each golden text give the touches written below them`(name: String) throws {
    let file = GoldenFile(try #require(Self.text(of: name)))
    #expect(!file.expected.isEmpty)
    let touches = try #require(file.play(), "a line of the text is invalid")
    #expect(touches == file.expected)
  }

  static func text(of name: String) -> String? {
    guard let file = unsafe fopen(folder + "/" + name + ".txt", "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = unsafe getc(file), byte != EOF {
      bytes.append(UInt8(truncatingIfNeeded: byte))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
