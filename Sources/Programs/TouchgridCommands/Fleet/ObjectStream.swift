import Glibc
import Storage
import Text
import TouchModel

/// Checks objects that another program sends on standard input, one after another, and answers each
/// before it reads the next. So programs in other languages need no rules of their own.
///
/// A request is a line with the object's name, a blank and its size in bytes, followed by the object.
/// The answer is a line of JSON: `{"reason":"…","valid":false}`, or `{"subjects":[…],"valid":true}` with an
/// element for each line of the type `count`: null if its counts are never added up over kiosks, or
/// else its `CountParts`, and its view.
enum ObjectStream {
  /// Returns at the end of the input.
  /// - Throws: if the input is no request.
  static func run() throws {
    var input = Input()
    while let line = try input.line() {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 2, let size = Int(words[1]),
        (0...DayObject.packedLimit + 1).contains(size)
      else {
        throw Failure("'\(line.printable(limit: 200))' is not an object's name and size")
      }
      var answer = JSONWriter()
      write(String(words[0]), try input.bytes(size), to: &answer)
      try writeLines([String(decoding: answer.bytes, as: UTF8.self)])
    }
  }

  private static func write(_ path: String, _ packed: [UInt8], to json: inout JSONWriter) {
    do {
      let counts = try object(path, packed).content.counts
      json.object { json in
        json.member("subjects")
        json.array { json in
          for count in counts { write(count.subject, to: &json) }
        }
        json.member("valid"); json.value(true)
      }
    } catch {
      json.object { json in
        json.member("reason"); json.value((error as? StoreError)?.message ?? "\(error)")
        json.member("valid"); json.value(false)
      }
    }
  }

  private static func object(_ path: String, _ packed: [UInt8]) throws -> DayObject {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5, parts[0] == ObjectName.top,
      let name = ObjectName(
        kiosk: parts[1], generation: parts[2], day: parts[3], file: parts[4])
    else { throw Failure("its name is not that of an object") }
    return try DayObject(packed, named: name)
  }

  private static func write(_ subject: CountSubject, to json: inout JSONWriter) {
    guard let kind = CountKinds.all[subject.kind], kind.isOfFleets,
      let shape = kind.shape(of: subject.key)
    else { return json.value(literal: "null") }
    let parts = shape.parts
    json.object { json in
      json.member("size"); json.value(Int64(parts.size))
      if let place = parts.sessions {
        json.member("sessions"); json.value(Int64(place))
      }
      if let view = shape.view {
        json.member("view"); json.object { DayObject.write(view, &$0) }
      }
      if !parts.touches.isEmpty {
        json.member("touches"); json.value(parts.touches.map { Int64($0) })
      }
      if !parts.areas.isEmpty {
        json.member("areas")
        json.array { json in
          for area in parts.areas { json.value([area.x, area.y, area.width, area.height]) }
        }
      }
      if !parts.totals.isEmpty {
        json.member("totals")
        json.array { json in parts.totals.forEach { json.value($0) } }
      }
    }
  }
}

/// Standard input, read in pieces.
private struct Input {
  /// A name of an object has at most some 140 bytes.
  private static let lineLimit = 512
  /// How many bytes are read at once.
  private static let pieceSize = 1 << 16

  /// The bytes that were read but not used yet.
  private var rest: ArraySlice<UInt8> = []

  /// - Returns: nil at the end of the input.
  mutating func line() throws(Failure) -> String? {
    while true {
      if let end = rest.prefix(Self.lineLimit).firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest = rest[(end + 1)...] }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      guard rest.count < Self.lineLimit else { throw Failure("the input is no list of objects") }
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
