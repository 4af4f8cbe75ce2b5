import FoundationEssentials
import Text
import TouchModel

/// Returns a value as JSON in one line. Unprintable characters are escaped, so that they cannot
/// control a terminal.
func jsonText(_ value: some Encodable) throws(Failure) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(value) else {
    throw Failure("the result has a number that JSON cannot hold (infinite, or not a number)")
  }
  return String(decoding: data, as: UTF8.self).printableJSON
}

func writeJSON(_ value: some Encodable) throws(Failure) {
  try writeLines([try jsonText(value)])
}
