import Testing
import Text

@Suite struct TextTableTests {
  private func table(_ name: String) -> TextTable {
    TextTable(
      [.init("NAME", canShrink: true), .init("TOUCHES", isNumber: true), .init("NOTE")],
      rows: [[name, "5", "a"], ["漢字", "1234567890", ""]])
  }

  @Test func `Columns are as wide as their contents`() {
    #expect(
      table("menu").lines(width: 80) == [
        "NAME     TOUCHES  NOTE",
        "menu           5  a",
        "漢字  1234567890",
      ])
  }

  @Test func `A table that is too wide cuts off the columns that may shrink`() {
    let lines = table("a screen with a long name").lines(width: 30)
    #expect(
      lines == [
        "NAME             TOUCHES  NOTE",
        "a screen wi…           5  a",
        "漢字          1234567890",
      ])
  }

  @Test func `Numbers are never cut off`() {
    let lines = table("a screen with a long name").lines(width: 5)
    #expect(lines[2].hasSuffix("1234567890"))
    #expect(lines[1] == "a scr…           5  a")
  }
}
