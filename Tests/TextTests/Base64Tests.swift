import Testing
import Text

struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `Texts of RFC 4648 are written and read`(plain: String, text: String) {
    #expect(base64(Array(plain.utf8)) == text)
    #expect(bytes(ofBase64: text) == Array(plain.utf8))
  }

  @Test func `Every byte is read as it was written`() {
    for length in 0..<300 {
      let all = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37) }
      #expect(bytes(ofBase64: base64(all)) == all)
    }
  }

  @Test(arguments: ["Z", "Zg", "Zg=", "Z===", "Zg==Zg==", "Zm9v=", "Zm9\n", "Zm9é", "Zh==", "=Zm9"])
  func `Other texts are refused`(text: String) { #expect(bytes(ofBase64: text) == nil) }
}
