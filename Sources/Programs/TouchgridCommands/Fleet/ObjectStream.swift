import Glibc
import Storage
import Text
import TouchModel

/// Checks objects that another program sends on standard input, so that programs in other languages
/// need not know the rules. Answers each object before it reads the next one.
///
/// A request is a line with the object's name, a blank and its size in bytes, followed by the object.
/// The answer is a line of JSON: `{"reason":"…","valid":false}`, or `{"areOfFleets":[…],"valid":true}` with
/// true for each line of the type `count` whose counts a fleet adds up over its kiosks.
enum ObjectStream {
  private struct Answer: Encodable {
    var valid: Bool
    var reason: String?
    var areOfFleets: [Bool]?
  }

  /// Returns at the end of the input.
  /// - Throws: if the input is not a request.
  static func run() throws {
    var input = Input()
    while let line = try input.line() {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 2, let size = Int(words[1]),
        (0...DayObject.packedLimit + 1).contains(size)
      else {
        throw Failure("'\(line.printable(limit: 200))' is not an object's name and size")
      }
      try writeJSON(answer(String(words[0]), try input.bytes(size)))
    }
  }

  private static func answer(_ path: String, _ packed: [UInt8]) -> Answer {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5, parts[0] == ObjectName.top,
      let name = ObjectName(
        kiosk: parts[1], generation: parts[2], day: parts[3], file: parts[4])
    else { return Answer(valid: false, reason: "its name is not that of an object") }
    do {
      let counts = try DayObject(packed, named: name).content.counts
      let areOfFleets = counts.map { CountKinds.all[$0.subject.kind]?.isOfFleets ?? false }
      return Answer(valid: true, areOfFleets: areOfFleets)
    } catch {
      return Answer(valid: false, reason: (error as? StoreError)?.message ?? "\(error)")
    }
  }
}

/// Standard input, read in pieces.
private struct Input {
  /// The maximum length of a request's first line, in bytes. A name has at most some 140.
  private static let lineLimit = 512
  /// The number of bytes that are read at once.
  private static let pieceSize = 1 << 16

  /// The bytes that were read but not yet used.
  private var rest: ArraySlice<UInt8> = []

  /// - Returns: nil at the end of the input.
  mutating func line() throws(Failure) -> String? {
    while true {
      if let end = rest.prefix(Self.lineLimit).firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest = rest[(end + 1)...] }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      guard rest.count < Self.lineLimit else { throw Failure("the input is not a list of objects") }
      if try !fill() {
        guard rest.isEmpty else { throw Failure("the input ends within a line") }
        return nil
      }
    }
  }

  mutating func bytes(_ count: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while true {
      let part = rest.prefix(count - bytes.count)
      bytes += part
      rest = rest.dropFirst(part.count)
      if bytes.count == count { return bytes }
      guard try fill() else { throw Failure("the input ends within an object") }
    }
  }

  /// - Returns: false at the end of the input.
  private mutating func fill() throws(Failure) -> Bool {
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    while true {
      let count = unsafe read(STDIN_FILENO, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw Failure("standard input cannot be read: \(errorText(errno))")
      }
      rest = (Array(rest) + piece.prefix(count))[...]
      return count > 0
    }
  }
}
