import FoundationEssentials
import TouchModel

/// A value as JSON in one line that no terminal can be upset by.
func jsonText(_ value: some Encodable) throws(Failure) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(value) else {
    throw Failure("the answer has a number that JSON cannot say")
  }
  return String(decoding: data, as: UTF8.self).printableJSON
}

func writeJSON(_ value: some Encodable) throws(Failure) {
  try writeLines([try jsonText(value)])
}
