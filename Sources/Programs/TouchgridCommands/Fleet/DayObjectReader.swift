import Storage
import Text
import TouchModel

extension DayObject {
  /// Reads an object, which may be damaged or malicious.
  /// - Throws: the reason for a refusal, as text after "NAME is refused: ".
  init(_ packed: [UInt8], named name: ObjectName) throws {
    guard packed.count <= Self.packedLimit,
      let bytes = try Gzip.expand(packed, limit: Self.expandedLimit)
    else {
      throw Failure(
        "it is not one whole gzip file of at most \(Self.expandedLimit >> 20) MiB of text")
    }
    guard bytes.last == UInt8(ascii: "\n") else {
      throw Failure("it does not end with a line feed")
    }
    var reader = DayObjectReader()
    var (rest, number) = (bytes[...], 0)
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      number += 1
      do { try reader.read(rest[..<end]) } catch { throw Failure("line \(number): \(error)") }
      rest = rest[(end + 1)...]
    }
    self = try reader.object()
    guard self.name == name else {
      throw Failure(
        "its content names it \(self.name.path): an object must not be copied to another name")
    }
  }
}

/// Reads the lines of an object.
private struct DayObjectReader {
  private static let nameLimit = 1024
  private static let viewLimit = 10_000
  private static let ghostLimit = 100_000
  private static let subjectLimit = 200_000
  private static let subjectLength = 1 << 20
  /// The maximum number of numbers in all counts. Each takes 8 bytes of memory.
  private static let numberLimit = 8 << 20
  /// The maximum length of a line that is not a grid, in bytes.
  private static let lineLimit = 4 << 20
  /// The maximum number of blocks in all grids. It bounds the time of an import.
  private static let blockLimit = 64 << 20

  private var head: DayLine?
  private var ghosts: [GhostTally] = []
  private var ghostKeys: Set<GhostKey> = []
  private var counts: [SummedCounts] = []
  private var subjects: Set<CountSubject> = []
  private var numbers = 0
  private var blocks = 0
  private var views: [DayContent.View] = []
  private var positions: [GridKey: Int] = [:]

  mutating func read(_ line: ArraySlice<UInt8>) throws {
    do {
      let type = try Self.type(of: line)
      guard type == "grid" || line.count <= Self.lineLimit else {
        throw Failure("it is longer than \(Self.lineLimit >> 20) MiB")
      }
      guard (head == nil) == (type == "day") else {
        throw Failure("the first line, and no other, must have the type 'day'")
      }
      switch type {
      case "day": head = try Self.decode(DayLine.self, line)
      case "ghost": try add(Self.decode(GhostLine.self, line))
      case "view": try add(Self.decode(ViewLine.self, line), line)
      case "grid": try add(Self.decode(GridLine.self, line))
      case "count": try add(Self.decode(CountLine.self, line))
      default: throw Failure("the type '\(type.printable())' is unknown")
      }
    } catch let problem as JSON.Problem {
      throw Failure(problem.reason)
    }
  }

  /// Returns the type of a line. Exports write the type first, so a long line need not be parsed
  /// twice. A line with a second type is refused later, because members must be unique.
  private static func type(of line: ArraySlice<UInt8>) throws -> String {
    let start = Array(#"{"type":""#.utf8)
    let name = line.dropFirst(start.count)
      .prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    guard line.starts(with: start), line[name.endIndex...].first == UInt8(ascii: "\"") else {
      return try Self.decode(TypeLine.self, line).type
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// Refuses strings with many successive combining marks, which take very long to compare.
  private static func decode<Line: Decodable>(
    _ type: Line.Type, _ line: ArraySlice<UInt8>
  ) throws(JSON.Problem) -> Line {
    try JSON.decode(type, from: line, limitsMarks: true)
  }

  func object() throws(Failure) -> DayObject {
    guard let head else { throw Failure("it is empty") }
    guard head.format == DayObject.format else {
      throw Failure("it has the format \(head.format), but only \(DayObject.format) is known")
    }
    guard ObjectName.isKiosk(head.kiosk), ObjectName.isGeneration(head.generation),
      (1...ObjectName.highestRevision).contains(head.revision), let day = Day(head.day)
    else { throw Failure("its kiosk, generation, revision or day is invalid") }
    let sessions = try Self.count(head.sessions, "sessions")
    var summary = DaySummary(day: day, sessions: sessions, totals: nil, hours: nil)
    guard (head.totals == nil) == (head.hours == nil) else {
      throw Failure("it has 'totals' without 'hours', or 'hours' without 'totals'")
    }
    if let totals = head.totals, let hours = head.hours {
      var sum = SessionTotals()
      for (name, field) in DayObject.totals {
        guard let value = totals[name] else { throw Failure("'totals.\(name)' is missing") }
        sum[keyPath: field] = try Self.count(value, "totals.\(name)")
      }
      guard totals.count == DayObject.totals.count else {
        throw Failure("'totals' has an unknown member")
      }
      guard sum.isBalanced else { throw Failure("its totals do not add up") }
      let counts = try hours.map { hour throws(Failure) in try Self.count(hour, "hours") }
      guard counts.count == 24, Self.sum(counts) == sessions else {
        throw Failure("'hours' must have 24 numbers that add up to 'sessions'")
      }
      (summary.totals, summary.hours) = (sum, counts)
    }
    guard let touches = Self.sum(ghosts.map(\.touches)) else {
      throw Failure("the suspected ghosts are too many")
    }
    summary.ghostsOutside = touches
    try check(summary)
    return DayObject(
      kiosk: head.kiosk, generation: head.generation, revision: head.revision,
      timeZone: try head.timeZone.map { name throws(Failure) in try Self.name(name, "timeZone") },
      version: try Self.name(head.version, "version"),
      content: DayContent(
        summary: summary, began: try Self.began(head), ghosts: ghosts, views: views,
        counts: counts))
  }

  /// Checks the same rules as `touchgrid store check`.
  private func check(_ summary: DaySummary) throws(Failure) {
    if summary.sessions == 0 {
      guard summary.totals == SessionTotals(), views.isEmpty else {
        throw Failure("a day without sessions has no touches and no screens")
      }
    }
    guard counts.allSatisfy({ $0.sessions <= summary.sessions }) else {
      throw Failure("counts have more sessions than the day")
    }
    for (name, counts) in Dictionary(grouping: counts, by: \.subject.kind) {
      guard CountKinds.all[name]?.agree(counts) ?? false else {
        throw Failure("counts of the kind \(name) contradict each other")
      }
    }
    var counted: UInt64 = 0
    for view in views {
      guard view.sessions <= summary.sessions else {
        throw Failure("a screen was shown by more sessions than the day has")
      }
      let taps = view.layers.first { $0.layer == .taps }?.sums ?? []
      guard let sum = Self.sum(taps), sum <= view.touches,
        let all = Self.sum([counted, view.touches])
      else { throw Failure("the taps of a screen exceed its touches") }
      counted = all
    }
    guard summary.totals.map({ $0.counted == counted }) ?? true else {
      throw Failure("the touches of the screens do not add up to the counted touches of the day")
    }
  }

  private static func sum(_ values: [UInt64]) -> UInt64? {
    var sum: UInt64 = 0
    for value in values {
      let (next, overflows) = sum.addingReportingOverflow(value)
      guard !overflows else { return nil }
      sum = next
    }
    return sum
  }

  private static func began(_ head: DayLine) throws(Failure) -> ClosedRange<WallTime>? {
    guard head.sessions > 0 else {
      guard head.firstBeganAtMs == nil, head.lastBeganAtMs == nil else {
        throw Failure("a day without sessions has no 'firstBeganAtMs' and 'lastBeganAtMs'")
      }
      return nil
    }
    // The years 0 to 9999, in ms since 1970.
    let years = Int64(-62_167_219_200_000)...253_402_300_799_999
    guard let first = head.firstBeganAtMs, let last = head.lastBeganAtMs, first <= last,
      years.contains(first), years.contains(last)
    else { throw Failure("'firstBeganAtMs' and 'lastBeganAtMs' are missing or invalid") }
    return WallTime(milliseconds: first)...WallTime(milliseconds: last)
  }

  private mutating func add(_ line: GhostLine) throws(Failure) {
    let tally = GhostTally(
      device: try Self.name(line.device, "device"), x: line.x, y: line.y,
      periodMilliseconds: line.periodMs, touches: try Self.count(line.touches, "touches"))
    guard ghostKeys.insert(GhostKey(tally)).inserted else {
      throw Failure("the suspected ghost occurs twice")
    }
    guard ghosts.count < Self.ghostLimit else {
      throw Failure("there are more than \(Self.ghostLimit) suspected ghosts")
    }
    ghosts.append(tally)
  }

  private mutating func add(_ line: CountLine) throws(Failure) {
    let subject = CountSubject(kind: line.kind, key: line.subject)
    guard let kind = CountKinds.all[line.kind] else {
      throw Failure("the kind '\(line.kind.printable())' is unknown")
    }
    guard line.subject.utf8.count <= Self.subjectLength,
      (try? JSONScanner.value(of: Array(line.subject.utf8)[...], limitsMarks: true)) != nil,
      let shape = kind.shape(of: line.subject)
    else {
      throw Failure("'subject' is not a subject of the kind \(kind.name)")
    }
    guard subjects.insert(subject).inserted else { throw Failure("the subject occurs twice") }
    numbers += shape.count
    guard counts.count < Self.subjectLimit, numbers <= Self.numberLimit else {
      throw Failure(
        "there are counts of more than \(Self.subjectLimit) subjects, or more than "
          + "\(Self.numberLimit) numbers")
    }
    let sessions = try Self.count(line.sessions, "sessions", from: 1)
    guard line.places.count == line.counts.count,
      zip(line.places, line.places.dropFirst()).allSatisfy(<)
    else { throw Failure("'places' is not a rising list of numbers, one for each of 'counts'") }
    guard
      let summed = SummedCounts(
        subject, shape, sessions: sessions, places: line.places, counts: line.counts)
    else {
      throw Failure(
        "'places' or 'counts' has a number out of its range, or numbers that contradict each other")
    }
    if let view = shape.view {
      guard let position = positions[view.key],
        view.touches(summed.numbers) <= Int64(clamping: views[position].touches),
        sessions <= views[position].sessions
      else {
        throw Failure("the counts have no view before them, or exceed its touches or sessions")
      }
    }
    counts.append(summed)
  }

  private mutating func add(_ line: ViewLine, _ text: ArraySlice<UInt8>) throws {
    let key = try Self.key(line.screen, line.display, line.geometry)
    guard positions[key] == nil else { throw Failure("the view occurs twice") }
    guard views.count < Self.viewLimit else {
      throw Failure("there are more than \(Self.viewLimit) views")
    }
    let masks = try line.masks.map { mask throws(Failure) in
      guard let mask = Rectangle(x: mask.x, y: mask.y, width: mask.width, height: mask.height)
      else {
        throw Failure("'masks' has an invalid rectangle")
      }
      return mask
    }
    let list = try JSONValue(parsing: String(decoding: text, as: UTF8.self))["placements"]?.elements
    guard let list else { throw Failure("'placements' is missing or is not a list") }
    guard list.allSatisfy(\.isFinite) else {
      throw Failure("'placements' has a number that is too large")
    }
    positions[key] = views.count
    views.append(
      DayContent.View(
        key: key, sessions: try Self.count(line.sessions, "sessions", from: 1),
        shownMilliseconds: try Self.count(line.shownMs, "shownMs"),
        touches: try Self.count(line.touches, "touches"), masks: masks,
        // Placements explain counts but contain none, so unknown ones from other versions are left
        // out.
        placements: list.compactMap { Placement($0) }))
  }

  private mutating func add(_ line: GridLine) throws(Failure) {
    let key = try Self.key(line.screen, line.display, line.geometry)
    guard let position = positions[key] else { throw Failure("the grid has no view before it") }
    guard let layer = Layer(rawValue: line.layer) else {
      throw Failure("the layer '\(line.layer.printable())' is unknown")
    }
    guard !views[position].layers.contains(where: { $0.layer == layer }) else {
      throw Failure("the grid occurs twice")
    }
    let count = line.blocks.count
    let high = line.squaresHigh ?? Array(repeating: 0, count: count)
    guard count > 0, line.sums.count == count, line.squares.count == count,
      line.touched.count == count, high.count == count
    else { throw Failure("its lists are empty or have different lengths") }
    let size = key.geometry.columns * key.geometry.rows
    blocks += size
    guard blocks <= Self.blockLimit else { throw Failure("the grids have too many blocks") }
    guard line.blocks[0] >= 0, line.blocks[count - 1] < Int64(size),
      zip(line.blocks, line.blocks.dropFirst()).allSatisfy(<)
    else { throw Failure("'blocks' is not a rising list of blocks of the display") }
    let sessions = Int64(clamping: views[position].sessions)
    guard line.sums.allSatisfy({ $0 > 0 }), line.squares.allSatisfy({ $0 >= 0 }),
      high.allSatisfy({ $0 >= 0 }), line.touched.allSatisfy({ (1...sessions).contains($0) })
    else { throw Failure("a number of the grid is out of its range") }
    let squares = zip(line.squares, high).map {
      UInt128($0) | UInt128($1) << DayObject.lowBits
    }
    // Sums that this number of sessions cannot have are refused.
    for index in line.sums.indices {
      let (sum, square, touched) = (
        UInt128(line.sums[index]), squares[index], UInt128(line.touched[index])
      )
      let (most, overflows) = square.multipliedReportingOverflow(by: touched)
      guard touched <= sum, square >= sum, square <= sum * sum, overflows || sum * sum <= most,
        square <= DayObject.highestSquare
      else {
        throw Failure("the sum, the square and the sessions of a block contradict each other")
      }
    }
    views[position].layers.append(
      DayContent.LayerSums(
        layer, blocks: line.blocks.map { Int($0) }, sums: line.sums.map { UInt64($0) },
        squares: squares, touched: line.touched.map { UInt64($0) }))
  }

  private static func key(
    _ screen: String, _ display: String, _ geometry: GeometryMember
  ) throws(Failure) -> GridKey {
    guard let rotation = Rotation(rawValue: geometry.rotation),
      let geometry = DisplayGeometry(
        pixelWidth: geometry.pixelWidth, pixelHeight: geometry.pixelHeight, scale: geometry.scale,
        rotation: rotation, blockSize: geometry.blockSize)
    else { throw Failure("'geometry' is out of its range") }
    return GridKey(
      display: try name(display, "display"), screen: try name(screen, "screen"),
      geometry: geometry)
  }

  private static func name(_ text: String, _ member: String) throws(Failure) -> String {
    guard text.utf8.count <= nameLimit, !text.utf8.contains(0) else {
      throw Failure("'\(member)' is longer than \(nameLimit) bytes, or has a zero byte")
    }
    return text
  }

  private static func count(
    _ value: Int64, _ member: String, from least: Int64 = 0
  ) throws(Failure) -> UInt64 {
    guard value >= least else { throw Failure("'\(member)' is less than \(least)") }
    return UInt64(value)
  }
}

extension JSONValue {
  /// Whether each number in the value is finite as a double. Placements of other versions may have
  /// any numbers.
  fileprivate var isFinite: Bool {
    switch self {
    case .number(let digits): Double(digits)?.isFinite ?? false
    case .array(let elements): elements.allSatisfy(\.isFinite)
    case .object(let members): members.allSatisfy(\.value.isFinite)
    default: true
    }
  }
}

// The members of lines. An object with other members has another format.

private struct TypeLine: Decodable { var type: String }

/// A value that is parsed elsewhere.
private struct Unread: Decodable { init(from decoder: any Decoder) {} }

private struct DayLine: Decodable {
  enum CodingKeys: String, OnlyKeys {
    case type, format, kiosk, generation, revision, day, timeZone, version, sessions
    case firstBeganAtMs, lastBeganAtMs, totals, hours
  }

  var type: Unread
  var format: Int
  var kiosk: String
  var generation: String
  var revision: Int64
  var day: String
  var timeZone: String?
  var version: String
  var sessions: Int64
  var firstBeganAtMs: Int64?
  var lastBeganAtMs: Int64?
  var totals: [String: Int64]?
  var hours: [Int64]?
}

private struct GhostLine: Decodable {
  enum CodingKeys: String, OnlyKeys { case type, device, x, y, periodMs, touches }

  var type: Unread
  var device: String
  var x: Int32
  var y: Int32
  var periodMs: Int64
  var touches: Int64
}

private struct CountLine: Decodable {
  enum CodingKeys: String, OnlyKeys { case type, kind, subject, sessions, places, counts }

  var type: Unread
  var kind: String
  var subject: String
  var sessions: Int64
  var places: [Int64]
  var counts: [Int64]
}

private struct GeometryMember: Decodable {
  enum CodingKeys: String, OnlyKeys { case pixelWidth, pixelHeight, scale, rotation, blockSize }

  var pixelWidth: Int
  var pixelHeight: Int
  var scale: Double
  var rotation: Int
  var blockSize: Int
}

private struct MaskMember: Decodable {
  enum CodingKeys: String, OnlyKeys { case x, y, width, height }

  var x: Double
  var y: Double
  var width: Double
  var height: Double
}

private struct ViewLine: Decodable {
  enum CodingKeys: String, OnlyKeys {
    case type, screen, display, geometry, sessions, shownMs, touches, masks, placements
  }

  var type: Unread
  var screen: String
  var display: String
  var geometry: GeometryMember
  var sessions: Int64
  var shownMs: Int64
  var touches: Int64
  var masks: [MaskMember]
  var placements: Unread
}

private struct GridLine: Decodable {
  enum CodingKeys: String, OnlyKeys {
    case type, screen, display, geometry, layer, blocks, sums, squares, touched, squaresHigh
  }

  var type: Unread
  var screen: String
  var display: String
  var geometry: GeometryMember
  var layer: String
  var blocks: [Int64]
  var sums: [Int64]
  var squares: [Int64]
  var touched: [Int64]
  var squaresHigh: [Int64]?
}
