import FoundationEssentials
import TouchModel

/// A value as JSON in one line that no terminal can be upset by.
func jsonText(_ value: some Encodable) throws(Failure) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(value) else {
    throw Failure("the answer has a number that JSON cannot say")
  }
  let encoded = String(decoding: data, as: UTF8.self)
  // Live touches come 120 times a second: what is nearly always all of it is not looked up in Unicode's tables.
  if encoded.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) { return encoded }
  var text = ""
  for scalar in encoded.unicodeScalars {
    if scalar.isShown {
      text.unicodeScalars.append(scalar)
    } else {
      // Such a scalar stands in a string, where its number means the same.
      text += String(scalar).utf16.map { "\\u" + hexadecimal($0) }.joined()
    }
  }
  return text
}

func writeJSON(_ value: some Encodable) throws(Failure) {
  try writeLines([try jsonText(value)])
}

private func hexadecimal(_ unit: UInt16) -> String {
  let digits = String(unit, radix: 16)
  return String(repeating: "0", count: 4 - digits.count) + digits
}
