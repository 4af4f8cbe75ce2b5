import Testing
import Text

@Suite struct NumberTests {
  @Test(arguments: [
    (0.0, "0"), (1, "1"), (1.25, "1.25"), (1.2549, "1.25"), (9.996, "10"), (12.34, "12.3"),
    (99.96, "100"), (123.4, "123"), (1e6, "1000000"), (0.5, "0.5"), (0.0123456, "0.0123"),
    (0.00001, "0.00001"), (0.00000001, "0"), (-2.5, "-2.5"), (1e20, "1e+20"),
  ])
  func `Rounded numbers have three significant digits`(value: Double, text: String) {
    #expect(roundedDigits(value) == text)
  }

  @Test func `The singular is used only for one`() {
    #expect(counted(1, "touch", "touches") == "1 touch")
    #expect(counted(0, "touch", "touches") == "0 touches")
    #expect(counted(2, "session") == "2 sessions")
  }
}
