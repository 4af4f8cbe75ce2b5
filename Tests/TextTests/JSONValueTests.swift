import Testing

@testable import Text

@Suite struct JSONValueTests {
  @Test func `Members keep their order and numbers their digits`() {
    let value: JSONValue = [
      "z": .integer(UInt128.max), "a": [.null, .bool(true), .number("0.000100")], "m": [:],
    ]
    #expect(
      value.text
        == #"{"z":340282366920938463463374607431768211455,"a":[null,true,0.000100],"m":{}}"#)
  }

  @Test func `Control and formatting characters are escaped`() {
    #expect(
      JSONValue.string("a\"b\\c\n\t\u{1b}[2J\u{0}\u{7f}\u{9b}\u{202e}\u{e0001}é漢").text
        == #""a\"b\\c\n\t\u001b[2J\u0000\u007f\u009b\u202e\udb40\udc01é漢""#)
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (2, "2"), (0.1, "0.1"), (1.0 / 3, "0.3333333333333333"),
    (1e300, "1e+300"), (.leastNonzeroMagnitude, "5e-324"), (-1.5, "-1.5"), (.nan, "null"),
    (.infinity, "null"),
  ])
  func `Real numbers have the fewest digits that are read back exactly`(value: Double, text: String)
  {
    #expect(JSONValue.real(value).text == text)
  }

  @Test(arguments: [
    ("{}", "{}"), (" [ 1 , -2.5e+3 ] ", "[1,-2.5e+3]"), (#""\u0041\ud83d\ude00\/""#, #""A😀/""#),
    (#"{"a":{"b":["c"]}}"#, #"{"a":{"b":["c"]}}"#),
    (#""\b\f\n\r\t\"\\""#, #""\u0008\u000c\n\r\t\"\\""#),
  ]) func `Valid JSON is read, and nothing may follow it`(text: String, written: String) {
    #expect((try? JSONValue(parsing: text))?.text == written)
    #expect((try? JSONValue(parsing: text + "1")) == nil)
  }
}
