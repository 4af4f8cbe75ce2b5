import Storage
import Text
import TouchModel

/// The name of the object that holds one day of a kiosk:
/// `in/KIOSK/GENERATION/DAY/rREVISION.ndjson.gz`. `docs/fleet.md` describes it.
struct ObjectName: Hashable {
  var kiosk: String
  var generation: String
  var day: Day
  /// The revision, 1...2^53. A higher revision replaces a lower one.
  var revision: Int64

  static let top = "in"
  static let highestRevision: Int64 = 1 << 53
  private static let ending = ".ndjson.gz"

  var folder: String { "\(Self.top)/\(kiosk)/\(generation)/\(day)" }
  var file: String { "r\(revision)" + Self.ending }
  var path: String { folder + "/" + file }

  init(kiosk: String, generation: String, day: Day, revision: Int64) {
    self.kiosk = kiosk
    self.generation = generation
    self.day = day
    self.revision = revision
  }

  /// - Returns: nil if a part does not have the form in `docs/fleet.md`.
  init?(kiosk: String, generation: String, day: String, file: String) {
    guard Self.isKiosk(kiosk), Self.isGeneration(generation), let day = Day(day),
      let revision = Self.revision(of: file)
    else { return nil }
    self.init(kiosk: kiosk, generation: generation, day: day, revision: revision)
  }

  /// 1 to 63 of a-z, 0-9 and -, not beginning with -.
  static func isKiosk(_ text: String) -> Bool {
    (1...63).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "-")
      && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
  }

  /// 16 to 32 of a-z and 0-9.
  static func isGeneration(_ text: String) -> Bool {
    (16...32).contains(text.utf8.count) && text.utf8.allSatisfy(isLetterOrDigit)
  }

  static func newGeneration() -> String {
    let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<20).map { _ in digits[Int.random(in: digits.indices)] })
  }

  static func revision(of file: String) -> Int64? {
    guard file.hasPrefix("r"), file.hasSuffix(ending) else { return nil }
    let digits = file.dropFirst().dropLast(ending.count)
    guard let revision = Int64(digits), (1...highestRevision).contains(revision),
      String(revision) == digits
    else { return nil }
    return revision
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
