import Testing

@testable import ConfigurationFiles
@testable import TouchgridDaemon

/// The lines at which the scanner finds keys.
struct ConfigurationLineTests {
  private func line(_ text: String, _ path: String...) -> Int? {
    var location: KeyLocation? = KeyScanner(text).root
    for step in path {
      location =
        Int(step).map { index in
          location.flatMap { $0.elements.indices.contains(index) ? $0.elements[index] : nil }
        } ?? location?.children[step]
    }
    return location?.line
  }

  @Test func `Keys are found below their tables`() {
    let text = "# [a]\n[a]\n x = 1\r\n\r\n[ b . c ] # [d]\n y=\"\"\nz.w = 3\n"
    #expect(line(text, "a") == 2)
    #expect(line(text, "a", "x") == 3)
    #expect(line(text, "b", "c", "y") == 6)
    #expect(line(text, "b", "c", "z", "w") == 7)
    #expect(line(text, "d") == nil)
  }

  @Test func `Repeated tables and the tables below them are distinguished`() {
    let text = "[[a]]\nx=1\n[[a]]\n\nx=1\n[a.b]\ny=1\n[[a]]\n[[a.c]]\n[[a.c]]\nz=1"
    #expect(line(text, "a", "0", "x") == 2)
    #expect(line(text, "a", "1") == 3)
    #expect(line(text, "a", "1", "x") == 5)
    #expect(line(text, "a", "1", "b", "y") == 7)
    #expect(line(text, "a", "2") == 8)
    #expect(line(text, "a", "2", "c", "1", "z") == 11)
    #expect(line(text, "a", "3") == nil)
  }

  @Test func `Quoted keys, inline tables and multi-line arrays are followed`() {
    let text = "\"a b\" = { x = 1, 'y.z' = [\n 1,\n 2 # ]\n], q = 2 }\nw = [{u=1},\n{u=2}]\nv = 1"
    #expect(line(text, "a b", "x") == 1)
    #expect(line(text, "a b", "y.z", "1") == 3)
    #expect(line(text, "a b", "q") == 4)
    #expect(line(text, "w", "1", "u") == 6)
    #expect(line(text, "v") == 7)
  }

  @Test(arguments: [
    "'''\n[x]\n'''", "\"\"\"\n\\\"\"\"\n\"\"\"", "\"\"\"\n\n\"\"\"\"\"", "[ \"]\",\n'#',\n1 ]",
    "\"# \\\" [x]\" #\n\n", "{ a = \"}\" }\n\n", "''\n\n", "\"\"\n\n",
  ])
  func `Text in strings and comments is not taken for keys`(value: String) {
    let text = "a = \(value)\nb = 1"
    let expected = 1 + text.utf8.count { $0 == UInt8(ascii: "\n") }
    #expect(line(text, "b") == expected)
    #expect(line(text, "x") == nil)
  }

  @Test func `Problems name the line of the key, the element or the table`() {
    func lines(_ text: String) -> [Int?] {
      refusal(try Configuration(text: text, file: "t"))?.problems.map(\.line) ?? []
    }
    #expect(lines("[grid]\nlayers = [\n\"taps\",\n\"x\"]") == [4])
    #expect(lines("device = [{match='a'},\n{match='b',\n# \n}]").isEmpty == false)
    #expect(lines("device = [{match='a'},\n{match='b', x=1}]") == [2])
    #expect(lines("\n[log]\n\"lev\\u0065l\" = 1") == [2])
    #expect(lines("\u{feff}[log]\nlevel = 1") == [2])
    #expect(lines("[log]\r\nlevel = 1\r\n") == [2])
    #expect(lines("[session]\nmax_duration = '1m'\nidle_timeout = '1h'") == [2])
  }
}
