import Glibc
import Text
import TouchModel

/// Writes all bytes to a descriptor.
func write(_ bytes: [UInt8], to descriptor: Int32, name: String) throws(Failure) {
  var failure: Int32?
  unsafe bytes.withUnsafeBytes { buffer in
    var rest = unsafe buffer[...]
    while unsafe !rest.isEmpty {
      let chunk = unsafe UnsafeRawBufferPointer(rebasing: rest)
      let written = unsafe Glibc.write(descriptor, chunk.baseAddress, chunk.count)
      if written < 0 && errno == EINTR { continue }
      if written < 0 {
        failure = errno
        return
      }
      unsafe rest = unsafe rest.dropFirst(written)
    }
  }
  // End silently if the reader has closed the pipe, as `head` does.
  if failure == EPIPE, descriptor == STDOUT_FILENO { exit(EXIT_FAILURE) }
  if let failure { throw Failure("\(name) cannot be written: \(errorText(failure))") }
}

/// Writes lines to standard output. Control characters are escaped, so that the lines cannot
/// control a terminal.
/// - Parameter areColoured: whether to keep colour sequences.
func writeLines(_ lines: [String], areColoured: Bool = false) throws(Failure) {
  let text = lines.map {
    (areColoured ? printableWithColours($0) : $0.printable(limit: .max)) + "\n"
  }.joined()
  try write(Array(text.utf8), to: STDOUT_FILENO, name: "standard output")
}

func writeError(_ message: String) {
  let text = "touchgrid: \(message.printableLines)\n"
  try? write(Array(text.utf8), to: STDERR_FILENO, name: "standard error")
}

/// Returns a line with all control characters escaped, except those of ECMA-48 sequences for
/// colours.
func printableWithColours(_ line: String) -> String {
  var result = ""
  var rest = line.unicodeScalars[...]
  while let start = rest.firstIndex(of: "\u{1b}") {
    result += String(rest[..<start]).printable(limit: .max)
    let body = rest[start...].dropFirst(2)
    let end = body.firstIndex { !("0"..."9").contains($0) && $0 != ";" }
    if let end, rest[end] == "m", rest[start...].dropFirst().first == "[" {
      result.unicodeScalars.append(contentsOf: rest[start...end])
      rest = rest[rest.index(after: end)...]
    } else {
      result += "\\u{1b}"
      rest = rest[rest.index(after: start)...]
    }
  }
  return result + String(rest).printable(limit: .max)
}
