import Testing
import Text

@testable import TouchModel

@Suite struct ValueTests {
  @Test("Sums and differences of times saturate")
  func timestamps() {
    let (first, last) = (Timestamp(microseconds: .min), Timestamp(microseconds: .max))
    #expect(last - first == .max && first - last == .min)
    #expect(last + 1 == last && first + -1 == first)
    #expect(Timestamp.ms(5) - .ms(3) == 2000)
  }

  @Test("Milliseconds are whole, rounded down; seconds are not")
  func milliseconds() {
    #expect(Timestamp(microseconds: 1999).milliseconds == 1)
    #expect(Timestamp(microseconds: 1_500_000).seconds == 1.5)
  }

  @Test("A device's name cannot disturb a line of text")
  func printable() {
    #expect("Evil %s %d \"\n".printable() == "Evil %s %d \"\\u{a}")
    #expect(
      "a\u{1b}[31m\u{202e}\u{2028}\u{0}".printable() == "a\\u{1b}[31m\\u{202e}\\u{2028}\\u{0}")
    #expect("Écran tactile 触摸屏".printable() == "Écran tactile 触摸屏")
    #expect(String(repeating: "x", count: 200).printable(limit: 3) == "xxx…")
    #expect("".printable() == "")
  }

  @Test("Identities rise from the first given")
  func mint() {
    var mint = TouchIDGenerator(first: 41)
    #expect([mint.mint(), mint.mint()] == [TouchID(41), TouchID(42)])
  }
}
