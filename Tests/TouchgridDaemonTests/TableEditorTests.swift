import TestSupport
import Testing

@testable import ConfigurationFiles

/// Edits of single tables in the text of a configuration file.
struct TableEditorTests {
  private static let lines = ["screen = \"new\"", "x = 1"]
  private static var table: [String: TOMLValue] { ["screen": .string("new"), "x": .integer(1)] }

  private func adding(_ text: String) throws -> String {
    try TableEditor(text).adding(Self.lines, to: "mask")
  }

  @Test(arguments: [
    ("", "[[mask]]\nscreen = \"new\"\nx = 1\n"),
    ("a = 1\n", "a = 1\n\n[[mask]]\nscreen = \"new\"\nx = 1\n"),
    ("a = 1", "a = 1\n\n[[mask]]\nscreen = \"new\"\nx = 1\n"),
    ("a = 1\r\n", "a = 1\r\n\r\n[[mask]]\r\nscreen = \"new\"\r\nx = 1\r\n"),
    ("\u{feff}", "\u{feff}[[mask]]\nscreen = \"new\"\nx = 1\n"),
    ("# [[mask]]", "# [[mask]]\n\n[[mask]]\nscreen = \"new\"\nx = 1\n"),
  ])
  func `A table is added at the end`(text: String, wished: String) throws {
    let added = try adding(text)
    #expect(Array(added.utf8) == Array(wished.utf8))
    #expect(try TableEditor(added).elements("mask") == [Self.table])
  }

  @Test(arguments: [
    ("[[mask]]\nscreen = \"a\"", "[[mask]]\nscreen = \"a\"\nx = 7\n"),
    ("[[mask]]\nx=1 # one\ny=2\n", "[[mask]]\nx = 7 # one\ny=2\n"),
    ("[[mask]]\n[b]\n", "[[mask]]\nx = 7\n[b]\n"),
    ("[[mask]] # x = 1\r\n\"x\" = [\r\n 1,\r\n]\r\n", "[[mask]] # x = 1\r\nx = 7\r\n"),
    ("[[mask]]\nx.y = 1\n", nil),
    ("mask = [{x = 1}]\n", nil),
    ("[[mask]]\n\"\\u0078\" = 1\n", nil),
  ])
  func `A key of a table is set, and nothing else`(text: String, wished: String?) throws {
    let editor = try TableEditor(text)
    guard let wished else {
      #expect(throws: TableEditor.Refusal.self) {
        try editor.setting("x", 0, of: "mask", by: "x = 7")
      }
      return
    }
    #expect(try editor.setting("x", 0, of: "mask", by: "x = 7") == wished)
  }

  @Test(arguments: [
    ("[[mask]]\nscreen = \"a\"\n", ""),
    ("[[mask]]\nscreen = \"a\"", ""),
    ("\u{feff}[[mask]]\nscreen = \"a\"", "\u{feff}"),
    ("# one\n[[ mask ]] # two\nscreen = \"a\" # three\n# four\n", "# one\n# four\n"),
    ("[a]\nx = 1\n\n[[\"mask\"]]\n\n  screen = \"a\"\n\n[b]\n", "[a]\nx = 1\n\n[b]\n"),
    ("[a]\r\n\r\n[['mask']]\r\nscreen = \"a\"\r\n\r\n[b]\r\n", "[a]\r\n\r\n[b]\r\n"),
    ("[a]\n\n  [[mask]]\nscreen = \"\"\"\na\\\n[[mask]]\n\"\"\"\n[b]", "[a]\n\n[b]"),
    ("[a]\nt = '''\n[[mask]]\n'''\n[[mask]]\n[b]\n", "[a]\nt = '''\n[[mask]]\n'''\n[b]\n"),
    ("[[mask]]\nlist = [\n  1, # ]\n  2,\n]\n[b]\n", "[b]\n"),
  ])
  func `A table is removed, and nothing else`(text: String, wished: String) throws {
    #expect(Array(try TableEditor(text).removing(0, of: "mask").utf8) == Array(wished.utf8))
  }

  @Test func `A table is replaced at its place`() throws {
    let text = "[[mask]]\nscreen = \"a\" # one\n# two\n[[mask]]\nscreen = \"b\"\n[[c]]\n"
    #expect(
      try TableEditor(text).replacing(0, of: "mask", by: Self.lines)
        == "[[mask]]\nscreen = \"new\"\nx = 1\n# two\n[[mask]]\nscreen = \"b\"\n[[c]]\n")
  }

  @Test func `Of a replaced table, the lines of comments stay`() throws {
    let text = "# zero\r\n[[mask]]\r\n# one\r\nscreen = \"a\"\r\n  # two\r\nx = 2\r\n"
    #expect(
      Array(try TableEditor(text).replacing(0, of: "mask", by: Self.lines).utf8)
        == Array(
          "# zero\r\n# one\r\n  # two\r\n[[mask]]\r\nscreen = \"new\"\r\nx = 1\r\n".utf8))
  }

  @Test(arguments: [
    "mask = [{screen = \"a\"}]\n", "mask = []\nmask.a = 1", "[mask]\nscreen = \"a\"\n",
    "mask = 1\n", "[[\"m\\u0061sk\"]]\nscreen = \"a\"\n", "[ [mask] ]\n", "[[mask]\n", "x = \n",
    "[[mask]]\nx = 1\nx = 2\n", "\0",
  ])
  func `What cannot be edited safely is refused`(text: String) {
    #expect(throws: TableEditor.Refusal.self) { try adding(text) }
  }

  @Test func `New lines must be a table`() throws {
    for line in ["x", "x = 1\nx = 2", "[a]\n[a]", "x = \"\0\"", "]"] {
      #expect(throws: TableEditor.Refusal.self) {
        try TableEditor("").adding([line], to: "mask")
      }
    }
    // A header would end the table.
    #expect(throws: TableEditor.Refusal.self) {
      try TableEditor("").adding(["[[mask]]", "x = 1"], to: "mask")
    }
  }

  // MARK: Many files

  /// Pieces of files that look like headers, or hide them.
  private static let pieces = [
    "[[mask]]\nscreen = \"a\"\n", "[[ mask ]] # c\n\nscreen = 'a'\nx = 1.5\n", "\n", "# [[mask]]\n",
    "[[\"mask\"]]\nscreen = \"\"\"\n[[mask]]\n\"\"\"\n", "[[control]]\nname = \"[[mask]]\"\n",
    "[[control]]\nlist = [ # ]\n  [1], '[[mask]]',\n]\n", "[[mask]]\n", " \t\n", "# end\n",
    "  [['mask']]  \n  screen = '''\n\n[[mask]]'''\t# x\n",
  ]

  @Test(arguments: 0..<200)
  func `What is added can be removed, and every other table stays`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var text = seed % 5 == 0 ? "\u{feff}" : ""
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      text += Self.pieces.randomElement(using: &random) ?? ""
    }
    if seed % 3 == 0 {
      text = String(decoding: text.utf8.flatMap { $0 == 10 ? [13, 10] : [$0] }, as: UTF8.self)
    }
    let before = try TableEditor(text).elements("mask")
    let added = try TableEditor(try adding(text))
    #expect(try added.elements("mask") == before + [Self.table])
    #expect(Array(try added.removing(before.count, of: "mask").utf8) == Array(text.utf8))
    for index in before.indices {
      var rest = before
      rest.remove(at: index)
      let removed = try TableEditor(text).removing(index, of: "mask")
      #expect(try TableEditor(removed).elements("mask") == rest)
      let comments = { (text: String) in text.utf8.count { $0 == UInt8(ascii: "#") } }
      #expect(comments(text) - comments(removed) <= 1)
      let replaced = try TableEditor(text).replacing(index, of: "mask", by: Self.lines)
      rest.insert(Self.table, at: index)
      #expect(try TableEditor(replaced).elements("mask") == rest)
    }
  }
}
