import Glibc

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
  // Whoever read this has read enough, as `head` does.
  if failure == EPIPE, descriptor == STDOUT_FILENO { exit(EXIT_FAILURE) }
  if let failure { throw Failure("\(name) cannot be written: \(errorText(failure))") }
}

/// Writes lines to standard output.
func writeLines(_ lines: [String]) throws(Failure) {
  let text = lines.map { $0 + "\n" }.joined()
  try write(Array(text.utf8), to: STDOUT_FILENO, name: "standard output")
}

/// Tells the user something that is no part of the output.
func writeError(_ message: String) {
  try? write(Array("touchgrid: \(message)\n".utf8), to: STDERR_FILENO, name: "standard error")
}

func errorText(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
