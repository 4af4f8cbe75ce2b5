@testable import Storage

/// A time zone from the machine's tzdata. It is read without the C library, because all tests share
/// one process, which has one time zone.
///
/// Source of the format: RFC 8536.
struct ZoneFile: Hashable {
  static let folder = "/usr/share/zoneinfo/"
  /// The end of the tested times, 2037-12-31 00:00 UTC, in s since 1970.
  static let end: Int64 = 2_145_830_400

  /// The times at which the offset changes, in ascending order.
  private(set) var changes: [Int64] = []
  /// The offsets before the first change and after each change.
  private(set) var offsets: [Int64]

  /// Returns every zone in tzdata, including links, with its names. Equal zones have several names.
  /// - Throws: `Missing` if the machine has no tzdata.
  static func all() throws -> [ZoneFile: [String]] {
    let index = folder + "tzdata.zi"
    guard let bytes = try? contents(index) else {
      throw Missing(what: "\(index): install tzdata, which this test is about")
    }
    var links: [String: String] = [:]
    var names: [String] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " ")).map {
        String(decoding: $0, as: UTF8.self)
      }
      if words[0] == "Z" { names.append(words[1]) }
      if words[0] == "L" {
        names.append(words[2])
        links[words[2]] = words[1]
      }
    }
    var zones: [ZoneFile: [String]] = [:]
    for name in names {
      // Some systems have the older names in a separate package: follow the links.
      var file = name
      while size(folder + file) == 0, let target = links[file] { file = target }
      let zone = try ZoneFile(contents(folder + file), name: name)
      zones[zone, default: []].append(name)
    }
    return zones
  }

  static func named(_ name: String) throws -> ZoneFile {
    try ZoneFile(contents(folder + name), name: name)
  }

  private init(_ bytes: [UInt8], name: String) throws {
    func counts(_ header: Int) -> [Int] {
      (0..<6).map { bytes.number(at: header + 20 + 4 * $0, 4) }
    }
    guard bytes.starts(with: Array("TZif".utf8)), bytes[4] >= UInt8(ascii: "2") else {
      throw Missing(what: "zone \(name) of version 2 or later")
    }
    // Skip the version 1 data, which has times of four bytes.
    let old = counts(0)
    let header = 44 + old[3] * 5 + old[4] * 6 + old[5] + old[2] * 8 + old[1] + old[0]
    let new = counts(header)
    let (times, types) = (new[3], new[4])
    let kinds = header + 44 + times * 8
    let offsetsOfTypes = (0..<types).map { type in
      Int64(Int32(truncatingIfNeeded: bytes.number(at: kinds + times + 6 * type, 4)))
    }
    offsets = [offsetsOfTypes[0]]
    for place in 0..<times {
      let time = Int64(bytes.number(at: header + 44 + place * 8, 8))
      let offset = offsetsOfTypes[Int(bytes[kinds + place])]
      guard offset != offsets.last else { continue }
      changes.append(time)
      offsets.append(offset)
    }
    let footer =
      kinds + times + types * 6 + new[5] + new[2] * 12 + new[1] + new[0]
    // A footer with a rule means that summer time continues after the last listed change, so the
    // listed changes must reach the end of the tested times.
    guard
      !bytes[footer...].contains(UInt8(ascii: ",")) || (changes.last ?? 0) > Self.end - 86_400 * 366
    else { throw Missing(what: "zone \(name) up to 2037: tzdata must be compiled with '-b fat'") }
  }

  /// Returns how many seconds the zone's clock is ahead of UTC.
  func offset(at time: Int64) -> Int64 {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return offsets[low]
  }

  /// Returns the changes between two times.
  func changes(in span: Range<Int64>) -> ArraySlice<Int64> {
    let first = changes.firstIndex { $0 >= span.lowerBound } ?? changes.endIndex
    return changes[first...].prefix { $0 < span.upperBound }
  }

  var clock: LocalClock { LocalClock { self.offset(at: $0) } }
}
