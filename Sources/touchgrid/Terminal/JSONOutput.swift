import FoundationEssentials
import TouchModel

/// A value as JSON in one line that no terminal can be upset by.
func jsonText(_ value: some Encodable) throws(Failure) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(value) else {
    throw Failure("the answer has a number that JSON cannot say")
  }
  var text = ""
  for scalar in String(decoding: data, as: UTF8.self).unicodeScalars {
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
