import Testing
import Text

@Suite struct TextTests {
  @Test func `Wide characters take two columns, and combining marks none`() {
    #expect(textWidth("abc") == 3)
    #expect(textWidth("漢字") == 4)
    #expect(textWidth("e\u{301}") == 1)
    #expect(textWidth("") == 0)
  }

  @Test(arguments: [
    ("checkout", 8, "checkout"), ("checkout", 7, "checko…"), ("漢字漢字", 6, "漢字…"),
    ("漢字", 4, "漢字"), ("ab", 1, "…"), ("ab", 0, ""),
  ])
  func `Truncated text ends with an ellipsis and fits`(text: String, width: Int, result: String) {
    #expect(truncated(text, to: width) == result)
    #expect(textWidth(truncated(text, to: width)) <= width)
  }

  @Test func `Wrapped text keeps its words`() {
    let lines = wrapped("one two three four five", to: 9)
    #expect(lines == ["one two", "three", "four five"])
    #expect(wrapped("", to: 9).isEmpty)
    #expect(wrapped("endlessword", to: 5) == ["endl…"])
  }
}
