internal import Text
internal import TouchModel

/// Returns the name with `?` in place of each unprintable character (control characters, line ends,
/// unassigned code points), as evemu files require.
func evemuName(_ text: String) -> String {
  String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isShown ? $0 : "?" }))
}

/// Returns the first 60 bytes of a line for an error message, escaped and without indentation.
func excerpt(_ line: ArraySlice<UInt8>) -> String {
  let limit = 60
  let line = line.drop { $0 == UInt8(ascii: " ") }
  let text = String(decoding: line.prefix(limit), as: UTF8.self).printable(limit: .max)
  return line.count > limit ? text + "…" : text
}

/// Returns the screen name in `bytes`; nil if it is not a valid name.
func screenName(_ bytes: ArraySlice<UInt8>) -> String? {
  String(validating: bytes, as: UTF8.self)?.asName
}
