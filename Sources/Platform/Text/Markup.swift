/// Escapes text for use in an XML or HTML element or attribute. Characters that XML cannot hold
/// become U+FFFD.
public func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0x26: result += "&amp;"
    case 0x3c: result += "&lt;"
    case 0x3e: result += "&gt;"
    case 0x22: result += "&quot;"
    case 0x27: result += "&#39;"
    case 0x09, 0x0a, 0x20...0xd7ff, 0xe000...0xfffd, 0x10000...0x10ffff:
      result.unicodeScalars.append(scalar)
    default: result += "\u{fffd}"
    }
  }
  return result
}
