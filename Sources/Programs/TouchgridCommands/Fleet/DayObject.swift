import Reports
import Storage
import Text
import TouchModel

/// The object that holds one day of a kiosk. It is gzipped NDJSON: a line for the day, then one for
/// each suspected ghost, view, grid and subject of other counts. `docs/fleet.md` and
/// `docs/day-object.schema.json` describe it.
struct DayObject {
  static let format = 1
  /// The maximum sizes in bytes.
  static let packedLimit = 16 << 20
  static let expandedLimit = 256 << 20

  var kiosk: String
  var generation: String
  var revision: Int64
  /// The name of the kiosk's time zone, such as `Europe/Berlin`; nil if it is unknown.
  var timeZone: String?
  /// The version of Touchgrid that made the object.
  var version: String
  var content: DayContent

  var name: ObjectName {
    ObjectName(kiosk: kiosk, generation: generation, day: content.day, revision: revision)
  }

  func packed() throws -> [UInt8] {
    let bytes = try text(of: .object)
    let packed = try Gzip.compress(bytes)
    guard bytes.count <= Self.expandedLimit, packed.count <= Self.packedLimit else {
      throw Failure("\(content.day) is too large for an object of a fleet")
    }
    return packed
  }

  /// A digest of the content. It excludes the revision, the version and the time zone, so that only
  /// a change of the content causes a new revision.
  func digest(withGhosts: Bool = true) throws -> String {
    var object = self
    if !withGhosts { object.content.ghosts = [] }
    let digits = Array("0123456789abcdef")
    return String(
      sha256(try object.text(of: .digest)).prefix(16)
        .flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  // MARK: Writing

  private enum Purpose { case object, digest }

  private func text(of purpose: Purpose) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    func line(_ body: (inout JSONWriter) -> Void) {
      var writer = JSONWriter()
      writer.object(body)
      bytes += writer.bytes
      bytes.append(UInt8(ascii: "\n"))
    }
    line { dayLine(purpose, &$0) }
    for ghost in content.ghosts { line { Self.write(ghost, &$0) } }
    for view in content.views { line { Self.write(view, &$0) } }
    for view in content.views {
      for layer in view.layers {
        let numbers = try Self.numbers(layer, of: view, on: content.day)
        line { json in
          json.member("type"); json.value("grid")
          Self.write(view.key, &json)
          json.member("layer"); json.value(layer.layer.rawValue)
          for (name, list) in numbers {
            json.member(name); json.value(list)
          }
        }
      }
    }
    for counts in content.counts { line { Self.write(counts, &$0) } }
    return bytes
  }

  private func dayLine(_ purpose: Purpose, _ json: inout JSONWriter) {
    json.member("type"); json.value("day")
    json.member("format")
    json.value(Int64(Self.format))
    if case .object = purpose {
      json.member("kiosk"); json.value(kiosk)
      json.member("generation"); json.value(generation)
      json.member("revision"); json.value(revision)
    }
    json.member("day"); json.value(content.day.text)
    if case .object = purpose {
      if let timeZone { json.member("timeZone"); json.value(timeZone) }
      json.member("version"); json.value(version)
    }
    let summary = content.summary
    json.member("sessions"); json.value(summary.sessions.json)
    if let began = content.began {
      json.member("firstBeganAtMs"); json.value(began.lowerBound.milliseconds)
      json.member("lastBeganAtMs"); json.value(began.upperBound.milliseconds)
    }
    // Totals and hours are both known or both unknown, as in the store.
    guard let totals = summary.totals, let hours = summary.hours else {
      for name in ["totals", "hours"] { json.member(name); json.value(literal: "null") }
      return
    }
    json.member("totals")
    json.object { json in
      for (name, field) in Self.totals {
        json.member(name); json.value(totals[keyPath: field].json)
      }
    }
    json.member("hours"); json.value(hours.map(\.json))
  }

  static var totals: [(String, WritableKeyPath<SessionTotals, UInt64>)] {
    [
      ("begun", \.begun), ("counted", \.counted), ("masked", \.masked), ("palms", \.palms),
      ("ghosts", \.ghosts), ("swallowed", \.swallowed), ("stillDown", \.stillDown),
      ("preexisting", \.preexisting), ("cancelled", \.cancelled), ("clamped", \.clamped),
      ("drops", \.drops),
    ]
  }

  private static func write(_ ghost: GhostTally, _ json: inout JSONWriter) {
    json.member("type"); json.value("ghost")
    json.member("device"); json.value(ghost.device)
    json.member("x"); json.value(Int64(ghost.x))
    json.member("y"); json.value(Int64(ghost.y))
    json.member("periodMs"); json.value(ghost.periodMilliseconds)
    json.member("touches"); json.value(ghost.touches.json)
  }

  private static func write(_ counts: SummedCounts, _ json: inout JSONWriter) {
    json.member("type"); json.value("count")
    json.member("kind"); json.value(counts.subject.kind)
    json.member("subject"); json.value(counts.subject.key)
    json.member("sessions"); json.value(counts.sessions.json)
    let places = counts.places
    json.member("places"); json.value(places)
    json.member("counts"); json.value(places.map { counts.numbers[Int($0)] })
  }

  private static func write(_ view: DayContent.View, _ json: inout JSONWriter) {
    json.member("type"); json.value("view")
    write(view.key, &json)
    json.member("sessions"); json.value(view.sessions.json)
    json.member("shownMs"); json.value(view.shownMilliseconds.json)
    json.member("touches"); json.value(view.touches.json)
    json.member("masks")
    json.array { json in
      for mask in view.masks {
        json.object { json in
          let members = [
            ("x", mask.x), ("y", mask.y), ("width", mask.width), ("height", mask.height),
          ]
          for (name, value) in members { json.member(name); json.value(value) }
        }
      }
    }
    json.member("placements")
    json.value(literal: JSONValue.array(view.placements.map(\.json)).exactText)
  }

  private static func write(_ key: GridKey, _ json: inout JSONWriter) {
    json.member("screen"); json.value(key.screen)
    json.member("display"); json.value(key.display)
    json.member("geometry")
    json.object { json in
      let geometry = key.geometry
      json.member("pixelWidth"); json.value(Int64(geometry.pixelWidth))
      json.member("pixelHeight"); json.value(Int64(geometry.pixelHeight))
      json.member("scale"); json.value(geometry.scale)
      json.member("rotation"); json.value(Int64(geometry.rotation.rawValue))
      json.member("blockSize"); json.value(Int64(geometry.blockSize))
    }
  }

  /// The number of low bits of a square that a number in an object holds, so that it fits into a
  /// signed 64-bit integer. The other bits are in `squaresHigh`.
  static let lowBits: UInt128 = 63
  /// The highest square: the maximum of the SQL type DECIMAL(38,0).
  static let highestSquare = (0..<38).reduce(UInt128(1)) { power, _ in power * 10 } - 1

  private static func numbers(
    _ layer: DayContent.LayerSums, of view: DayContent.View, on day: Day
  ) throws(Failure) -> [(String, [Int64])] {
    guard layer.sums.allSatisfy({ $0 <= Int64.max }),
      layer.squares.allSatisfy({ $0 <= highestSquare })
    else {
      throw Failure(
        "\(day): a sum of the screen \(view.key.screen.printable()) is too large for an object of a fleet"
      )
    }
    let low: UInt128 = 1 << lowBits - 1
    var numbers = [
      ("blocks", layer.blocks.map { Int64($0) }), ("sums", layer.sums.map(\.json)),
      ("squares", layer.squares.map { Int64($0 & low) }),
      ("touched", layer.touched.map(\.json)),
    ]
    if layer.squares.contains(where: { $0 > low }) {
      numbers.append(("squaresHigh", layer.squares.map { Int64($0 >> lowBits) }))
    }
    return numbers
  }
}

extension UInt64 {
  /// The number in JSON. Numbers of a store are below 2^63, because SQLite has no larger ones.
  fileprivate var json: Int64 { Int64(clamping: self) }
}
