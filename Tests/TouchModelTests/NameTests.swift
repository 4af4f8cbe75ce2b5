import Testing
import TouchModel

@Suite struct NameTests {
  @Test("A name has 1 to 128 bytes of UTF-8, not characters")
  func length() {
    #expect(!"".isName)
    #expect("a".isName)
    #expect(String(repeating: "ü", count: 64).isName)
    #expect(!String(repeating: "ü", count: 65).isName)
    #expect(!String(repeating: "a", count: 129).isName)
  }

  @Test(
    "What could steer a terminal, break a line or turn text around is in no name",
    arguments: [
      "\u{1b}[2J", "a\nb", "a\0", "\u{202e}gpj", "a\u{2028}b", "\u{7f}", "\u{e000}", "\u{feff}a",
      "\u{378}",
    ])
  func controls(text: String) {
    #expect(!text.isName)
    #expect(!text.isPrintable(bytes: 0...128))
  }

  @Test("Any script may name a screen", arguments: ["menu", "checkout/pay", "Menü 2", "菜单", "🍔"])
  func scripts(text: String) {
    #expect(text.isName)
  }
}
