import Glibc
import Storage
import Text
import TouchModel

/// Answers requests that another program sends on standard input, each before it reads the next. So
/// programs in other languages need no rules of their own.
///
/// A request is a line with a name, a blank and a size in bytes, followed by so many bytes. The answer
/// is a line of JSON, `{"reason":"…","valid":false}` or one with `"valid":true` and more members:
///
/// - The name and the bytes of an object: `areOfFleets` has true for each line of the type `count`
///   whose counts a fleet adds up over its kiosks.
/// - `release/KIND` and the key of a subject: `release` says what a release may show of it: `key`,
///   `view` and `units` as in `DisclosedCounts`. Without a key, the kind is in releases if this is
///   valid.
enum ObjectStream {
  private struct Answer: Encodable {
    var valid: Bool
    var reason: String?
    var areOfFleets: [Bool]?
    var release: Release?
  }

  fileprivate struct Release: Encodable {
    struct View: Encodable {
      var screen: String
      var display: String
      var pixelWidth: Int
      var pixelHeight: Int
      var scale: Double
      var rotation: Int
      var blockSize: Int
    }

    struct Area: Encodable {
      var x: Double
      var y: Double
      var width: Double
      var height: Double
    }

    struct Unit: Encodable {
      var parts: [DisclosedCounts.Part]
      var touches: [Int]
      var area: Area?
    }

    var key: String
    var view: View?
    var units: [Unit]
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
    if parts.count == 2, parts[0] == "release" {
      let key = String(decoding: packed, as: UTF8.self)
      return disclosure(of: CountSubject(kind: parts[1], key: key))
    }
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

  private static func disclosure(of subject: CountSubject) -> Answer {
    guard let kind = CountKinds.all[subject.kind] else {
      return Answer(valid: false, reason: "there are no counts of this kind")
    }
    switch kind.disclosure {
    case .nothing(let reason):
      return Answer(valid: false, reason: "they are in no release: \(reason)")
    case .units(let units):
      if subject.key.isEmpty { return Answer(valid: true) }
      guard let shape = kind.shape(of: subject.key), let counts = units(subject.key) else {
        return Answer(valid: false, reason: "it is no subject of this kind")
      }
      return Answer(valid: true, release: Release(counts, of: shape.view?.key))
    }
  }
}

extension ObjectStream.Release {
  fileprivate init(_ counts: DisclosedCounts, of view: GridKey?) {
    key = counts.key
    self.view = view.map { view in
      let geometry = view.geometry
      return View(
        screen: view.screen, display: view.display, pixelWidth: geometry.pixelWidth,
        pixelHeight: geometry.pixelHeight, scale: geometry.scale,
        rotation: geometry.rotation.rawValue, blockSize: geometry.blockSize)
    }
    units = counts.units.map { unit in
      let area = unit.area.map { Area(x: $0.x, y: $0.y, width: $0.width, height: $0.height) }
      return Unit(parts: unit.parts, touches: unit.touches, area: area)
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
