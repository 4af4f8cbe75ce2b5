internal import TouchModel

/// `text` with everything that does not print (controls, line ends, unassigned) as `?`: a name as an evemu file can
/// hold it.
func evemuName(_ text: String) -> String {
  String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isShown ? $0 : "?" }))
}

/// The printable beginning of a line without its indentation, for an error.
func excerpt(_ line: ArraySlice<UInt8>) -> String {
  let limit = 60
  let line = line.drop { $0 == UInt8(ascii: " ") }
  let text = String(decoding: line.prefix(limit), as: UTF8.self).printable(limit: .max)
  return line.count > limit ? text + "…" : text
}

/// The screen's name in `bytes`, or nil where it is none.
func screenName(_ bytes: ArraySlice<UInt8>) -> String? {
  String(validating: bytes, as: UTF8.self)?.asName
}
