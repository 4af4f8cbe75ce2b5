internal import CLinux
internal import Glibc

/// A process that runs as another user, whom this process does not trust. It gets no descriptor,
/// keyring or terminal of this process, and is killed when this object is released or this process
/// ends.
package final class UserProcess {
  private let process: pid_t
  private let output: FileDescriptor
  /// The standard input of the program; its number is -1 if there is none.
  private let input: FileDescriptor

  /// Starts a program. Call this before a second thread exists.
  /// - Parameters:
  ///   - words: the path of the program, and its arguments.
  ///   - owner: the user as whom it runs, which may be root.
  ///   - hasInput: whether `send` will be called.
  package init(
    _ words: [String], environment: [String: String], as owner: PathControl.Owner,
    hasInput: Bool = false
  ) throws(SystemError) {
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
    var output: Int32 = -1
    var input: Int32 = -1
    process = unsafe withUnsafeMutablePointer(to: &input) { input in
      unsafe touchgrid_start_as(
        owner.user, owner.group, words.first ?? "", &arguments, &variables, hasInput ? input : nil,
        &output)
    }
    guard process > 0 else { throw SystemError(context: "starting \(words.first ?? "")") }
    self.output = FileDescriptor(owning: output)
    self.input = FileDescriptor(owning: input)
  }

  /// Starts a copy of this process that calls `body`, writes its result to standard output, and ends.
  /// Call this before a second thread exists.
  package init(as owner: PathControl.Owner, _ body: () -> [UInt8]) throws(SystemError) {
    var output: Int32 = -1
    process = unsafe touchgrid_start_as(owner.user, owner.group, nil, nil, nil, nil, &output)
    guard process >= 0 else { throw SystemError(context: "starting a process") }
    self.output = FileDescriptor(owning: output)
    input = FileDescriptor(owning: -1)
    guard process == 0 else { return }
    var rest = body()[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    _exit(0)
  }

  /// Sends bytes to the program's standard input, without waiting.
  /// - Throws: an error if the program has ended, or has not read earlier input.
  package func send(_ bytes: [UInt8]) throws(SystemError) {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe touchgrid_socket_send(input.number, $0.baseAddress, $0.count)
    }
    guard count == bytes.count else { throw SystemError(context: "sending to a program") }
  }

  /// Reads a line of the program's output.
  /// - Parameter milliseconds: the time limit, from now on.
  /// - Returns: the line; nil if the program has ended.
  /// - Throws: `EFBIG` for a line of more than 4 KiB, or `ETIMEDOUT`.
  package func line(within milliseconds: Int64) throws(SystemError) -> String? {
    let end = Clocks.monotonic + milliseconds * 1000
    var bytes: [UInt8] = []
    var byte: [UInt8] = [0]
    while try read(into: &byte, until: end) > 0 {
      if byte[0] == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      guard bytes.count < 4096 else {
        throw SystemError(code: EFBIG, context: "reading a program's output")
      }
      bytes.append(byte[0])
    }
    return nil
  }

  /// Reads all output of the program.
  /// - Parameters:
  ///   - limit: the maximum size in bytes.
  ///   - milliseconds: the time limit, from now on.
  /// - Throws: `EFBIG` or `ETIMEDOUT`.
  package func read(limit: Int, within milliseconds: Int64) throws(SystemError) -> [UInt8] {
    let end = Clocks.monotonic + milliseconds * 1000
    var bytes: [UInt8] = []
    var buffer = Array(repeating: UInt8(0), count: 1 << 16)
    while true {
      let count = try read(into: &buffer, until: end)
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else {
        throw SystemError(code: EFBIG, context: "reading a program's output")
      }
      bytes += buffer[..<count]
    }
  }

  /// - Parameter end: the time limit, on `CLOCK_MONOTONIC`.
  /// - Returns: the number of bytes; 0 at the end of the output.
  private func read(into buffer: inout [UInt8], until end: Int64) throws(SystemError) -> Int {
    while true {
      let left = (end - Clocks.monotonic) / 1000
      var ready = pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)
      let found = left > 0 ? unsafe poll(&ready, 1, Int32(clamping: left)) : 0
      if found < 0, errno == EINTR { continue }
      guard found > 0 else { throw SystemError(code: ETIMEDOUT, context: "waiting for a program") }
      return try output.read(into: &buffer) ?? 0
    }
  }

  deinit {
    kill(-process, SIGKILL)
    kill(process, SIGKILL)
    while waitpid(process, nil, 0) < 0, errno == EINTR {}
  }
}
