import Testing
import Text

@testable import TouchModel

@Suite struct ValueTests {
  @Test func `Sums and differences of times saturate`() {
    let (first, last) = (Timestamp(microseconds: .min), Timestamp(microseconds: .max))
    #expect(last - first == .max && first - last == .min)
    #expect(last + 1 == last && first + -1 == first)
    #expect(Timestamp.ms(5) - .ms(3) == 2000)
  }

  @Test func `Control characters in a device's name are escaped`() {
    #expect("Evil %s %d \"\n".printable() == "Evil %s %d \"\\u{a}")
    #expect(
      "a\u{1b}[31m\u{202e}\u{2028}\u{0}".printable() == "a\\u{1b}[31m\\u{202e}\\u{2028}\\u{0}")
    #expect("Écran tactile 触摸屏".printable() == "Écran tactile 触摸屏")
    #expect(String(repeating: "x", count: 200).printable(limit: 3) == "xxx…")
    #expect("".printable() == "")
  }

  @Test func `Touch IDs increase from the first one`() {
    var mint = TouchIDGenerator(first: 41)
    #expect([mint.mint(), mint.mint()] == [TouchID(41), TouchID(42)])
  }
}
