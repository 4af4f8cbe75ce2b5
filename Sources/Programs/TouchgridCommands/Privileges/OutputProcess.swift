import Glibc
import LinuxIO
import Text
import TouchModel

/// A process that writes the output of a command that root started. The command itself works as the
/// owner of the store, who may not be able to write there. This process runs as the owner of the
/// output's folder, who may be root. It knows the file's name from the command line, and receives
/// only bytes from the command.
final class OutputProcess: Sendable {
  enum Kind: Equatable {
    /// A file that is written as by `writeFile`.
    case file
    /// A store that is written as by `NewStoreFile`.
    case store(replaces: Bool, StoreAccess?)
  }

  private let path: String
  private let wire: BlockStream

  /// Starts the process.
  /// - Parameter owner: the user that it runs as; nil for root.
  init(for path: String, as owner: PathControl.Owner?) throws(Failure) {
    self.path = path
    do throws(SystemError) {
      wire = BlockStream(
        try Privileges.split { stream in
          OutputProcess.serve(BlockStream(stream), path, as: owner)
        })
    } catch {
      throw Failure("\(error)")
    }
  }

  /// Returns whether the process may write this file. It may write the named file, and files with
  /// names derived from that name (`HeatmapNames`).
  func accepts(_ other: String) -> Bool { Self.accepts(other, by: path) }

  private static func accepts(_ other: String, by path: String) -> Bool {
    if other == path { return true }
    let stem = Folder.name(of: FileEnding(path)?.stem ?? path)
    return Folder.of(other) == Folder.of(path) && Folder.name(of: other).hasPrefix(stem + "-")
  }

  // MARK: The command

  func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    try begin(.file, path)
    for start in stride(from: 0, to: bytes.count, by: Self.chunk) {
      try send(Array(bytes[start..<min(start + Self.chunk, bytes.count)]))
    }
    try finish()
  }

  /// Starts to write a file, which gets its final name only in `finish`.
  /// - Throws: an error if the file cannot be written there.
  func begin(_ kind: Kind, _ path: String) throws(Failure) {
    try send(Request(kind: kind, path: path).bytes)
    try receiveResult()
  }

  /// Writes the contents of another file, and gives the output its final name.
  /// - Parameter source: a regular file that the calling process has created.
  func finish(copyOf source: String) throws(Failure) {
    do throws(SystemError) {
      let file = try FileDescriptor(opening: source, O_RDONLY | O_NOFOLLOW)
      var buffer = [UInt8](repeating: 0, count: Self.chunk)
      while let count = try file.read(into: &buffer), count > 0 {
        try wire.send(Array(buffer[..<count]))
      }
    } catch {
      throw error.code == EPIPE ? gone : Failure("\(error)")
    }
    try finish()
  }

  private func finish() throws(Failure) {
    try send([])
    try receiveResult()
  }

  private func send(_ block: [UInt8]) throws(Failure) {
    do throws(SystemError) { try wire.send(block) } catch { throw gone }
  }

  private func receiveResult() throws(Failure) {
    guard let answer = try? wire.receive() else { throw gone }
    guard answer.isEmpty else { throw Failure(String(decoding: answer, as: UTF8.self)) }
  }

  private var gone: Failure {
    Failure("\(path.printable(limit: 4096)) was not written: the process that writes it was killed")
  }

  // MARK: The process

  private static let chunk = 1 << 18

  private static func serve(_ wire: BlockStream, _ path: String, as owner: PathControl.Owner?) {
    var refusal: Failure?
    if let owner {
      do throws(Failure) { try ProcessIdentity.become(owner) } catch { refusal = error }
    }
    while let block = try? wire.receive(), let request = Request(block) {
      do throws(Failure) {
        if let refusal { throw refusal }
        guard accepts(request.path, by: path) else {
          throw Failure("\(request.path.printable(limit: 4096)) is not the named output")
        }
        // Check every requested path, not only the first: in a folder that other users can write
        // in, any name may belong to another user.
        if try ProcessIdentity.isForeign(request.path) {
          throw Failure("\(request.path.printable(limit: 4096)) belongs to another user")
        }
        try write(request, wire)
        try? wire.send([])
      } catch {
        try? wire.send(Array(error.description.utf8))
      }
    }
  }

  private static func write(_ request: Request, _ wire: BlockStream) throws(Failure) {
    func receive(into descriptor: Int32) throws(Failure) {
      try? wire.send([])
      var failure: Failure?
      while let bytes = try? wire.receive() {
        guard !bytes.isEmpty else {
          if let failure { throw failure }
          return
        }
        // After an error, continue to receive blocks, because the sender reads the answer only at
        // the end.
        guard failure == nil else { continue }
        do throws(Failure) {
          try TouchgridCommands.write(
            bytes, to: descriptor, name: request.path.printable(limit: 4096))
        } catch {
          failure = error
        }
      }
      throw Failure("the command was killed")
    }
    switch request.kind {
    case .file: try replaceFile(request.path, receive)
    case .store(let replaces, let access):
      try NewStoreFile.write(request.path, replaces: replaces, access, receive)
    }
  }

  /// A request to write a file.
  private struct Request {
    var kind: Kind
    var path: String

    init(kind: Kind, path: String) {
      self.kind = kind
      self.path = path
    }

    /// The encoded request: five numbers of four bytes (the kind, whether permissions follow, the
    /// mode, the user, the group), then the path.
    var bytes: [UInt8] {
      var numbers: [UInt32] = [0, 0, 0, 0, 0]
      if case .store(let replaces, let access) = kind {
        numbers = [replaces ? 2 : 1, access == nil ? 0 : 1, 0, 0, 0]
        if let access {
          numbers.replaceSubrange(2..., with: [access.mode, access.user, access.group])
        }
      }
      return numbers.flatMap(encoded) + Array(path.utf8)
    }

    init?(_ bytes: [UInt8]) {
      guard bytes.count > 20 else { return nil }
      let numbers = (0..<5).map { decoded(bytes[(4 * $0)..<(4 * $0 + 4)]) }
      let access =
        numbers[1] == 0
        ? nil : StoreAccess(mode: numbers[2], user: numbers[3], group: numbers[4])
      kind = numbers[0] == 0 ? .file : .store(replaces: numbers[0] == 2, access)
      path = String(decoding: bytes[20...], as: UTF8.self)
    }
  }
}

/// Returns the four bytes of a number, little-endian.
private func encoded(_ number: UInt32) -> [UInt8] {
  [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
}

private func decoded(_ bytes: ArraySlice<UInt8>) -> UInt32 {
  bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
}

/// A socket between two processes that trust each other. It transfers blocks of bytes, each
/// preceded by its length.
private final class BlockStream: Sendable {
  private let stream: UnixStream

  init(_ stream: consuming UnixStream) { self.stream = stream }

  func send(_ block: [UInt8]) throws(SystemError) {
    var rest = (encoded(UInt32(block.count)) + block)[...]
    while !rest.isEmpty {
      switch try stream.send(rest) {
      case .moved(let count): rest = rest.dropFirst(count)
      case .wouldBlock: _ = try stream.wait(forOutput: true, within: -1)
      case .ended: throw SystemError(code: EPIPE, context: "sending")
      }
    }
  }

  /// Receives a block.
  /// - Returns: nil if the other process has closed its end.
  func receive() throws(SystemError) -> [UInt8]? {
    guard let head = try receive(4) else { return nil }
    return try receive(Int(decoded(head[...])))
  }

  private func receive(_ count: Int) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: max(1, min(count, 1 << 18)))
    while bytes.count < count {
      switch try stream.receive(into: &buffer, atMost: count - bytes.count) {
      case .moved(let got): bytes += buffer[..<got]
      case .wouldBlock: _ = try stream.wait(within: -1)
      case .ended: return nil
      }
    }
    return bytes
  }
}
