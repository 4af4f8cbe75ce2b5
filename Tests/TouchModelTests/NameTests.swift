import Testing
import TouchModel

@Suite struct NameTests {
  @Test func `A name has 1 to 128 bytes of UTF-8`() {
    #expect("".asName == nil)
    #expect("a".asName != nil)
    #expect(String(repeating: "ü", count: 64).asName != nil)
    #expect(String(repeating: "ü", count: 65).asName == nil)
    #expect(String(repeating: "a", count: 129).asName == nil)
  }

  @Test(arguments: [
    "\u{1b}[2J", "a\nb", "a\0", "\u{202e}gpj", "a\u{2028}b", "\u{7f}", "\u{e000}", "\u{feff}a",
    "\u{378}",
  ])
  func `Names with control or formatting characters are refused`(text: String) {
    #expect(text.asName == nil)
    #expect(!text.isPrintable(bytes: 0...128))
  }

  @Test(arguments: [" ", "   ", "\u{a0}", "\u{3000} ", "\u{2800}", "\u{3164}", "\u{fffd} \u{fffd}"])
  func `Names of which nothing can be read are refused`(text: String) {
    #expect(text.asName == nil)
  }

  @Test(arguments: [
    ("cafe\u{301}", "caf\u{e9}"), ("caf\u{e9}", "caf\u{e9}"), ("\u{212b}", "\u{c5}"),
    ("\u{1100}\u{1161}\u{11a8}", "\u{ac01}"), ("e\u{302}\u{323}", "\u{1ec7}"),
    ("menu", "menu"),
  ])
  func `All Unicode forms of a name become the same bytes`(text: String, name: String) {
    // Swift considers the two equal, so this compares their bytes.
    #expect(Array((text.asName ?? "").utf8) == Array(name.utf8))
  }

  @Test func `The limit applies to the normalised name`() {
    // Composing the first string turns 3 bytes per character into 2, and 192 bytes into 128, the
    // limit. U+0958 has no composed form: 126 bytes become 252.
    #expect(String(repeating: "e\u{301}", count: 64).asName != nil)
    #expect(String(repeating: "\u{958}", count: 42).asName == nil)
  }

  @Test(arguments: ["menu", "checkout/pay", "Menü 2", "菜单", "🍔"])
  func `A screen's name may be in any script`(text: String) {
    #expect(text.asName != nil)
  }
}
