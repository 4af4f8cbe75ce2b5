internal import TouchModel

/// Reads the format that `Checkpoint` writes.
struct CheckpointReader {
  private var rest: ArraySlice<UInt8>
  private let kinds: CountKinds
  /// The places of the known subjects, by their numbers.
  private var places: [UInt64: Int]

  private struct Malformed: Error {}

  /// Applies a checkpoint to a session.
  /// - Parameters:
  ///   - place: the number that the checkpoint must have, counted from 1.
  ///   - record: the session with all its views, grids and counts.
  /// - Returns: false if the checkpoint is damaged, has another number, or does not fit this
  ///   session; the session is then unchanged.
  static func apply(
    _ bytes: [UInt8], place: Int, to record: inout SessionRecord, _ kinds: CountKinds
  ) -> Bool {
    guard bytes.count <= CheckpointLimits.bytes, place <= CheckpointLimits.count,
      Checkpoint.isSealed(bytes)
    else { return false }
    var changed = record
    var reader = CheckpointReader(
      rest: bytes.dropLast(4), kinds: kinds,
      places: Dictionary(
        record.changedCounts.enumerated().map { (Checkpoint.number(of: $1.subject), $0) },
        uniquingKeysWith: { first, _ in first }))
    do {
      try reader.head(place: place, of: &changed)
      while !reader.rest.isEmpty { try reader.view(of: &changed) }
    } catch { return false }
    let touches = changed.changedViews.reduce(0) { $0 &+ $1.touches }
    guard touches == changed.totals.counted else { return false }
    record = changed
    return true
  }

  private mutating func head(place: Int, of record: inout SessionRecord) throws(Malformed) {
    guard rest.popFirst() == Checkpoint.format, try number() == place else { throw Malformed() }
    let (lastActive, overflows) = record.began.milliseconds.addingReportingOverflow(try count())
    guard !overflows, lastActive >= record.lastActive.milliseconds else { throw Malformed() }
    record.lastActive = WallTime(milliseconds: lastActive)
    var totals = SessionTotals()
    for (field, _) in SessionTotals.fields { totals[keyPath: field] = UInt64(try count()) }
    guard totals.isBalanced else { throw Malformed() }
    record.totals = totals
    for _ in 0..<(try number(upTo: Checkpoint.subjectLimit)) { try counts(of: &record) }
  }

  /// Reads the changed counts of a subject.
  private mutating func counts(of record: inout SessionRecord) throws(Malformed) {
    let id = try number()
    let kind = try text()
    let place = places[id] ?? record.changedCounts.count
    if kind.isEmpty, places[id] == nil {
      // A recovery has removed the counts of the session.
      while try number() > 0 { _ = try number() }
      return
    }
    guard kind.isEmpty == (place < record.changedCounts.count) else { throw Malformed() }
    if !kind.isEmpty {
      let subject = CountSubject(kind: kind, key: try text())
      guard Checkpoint.number(of: subject) == id, let shape = kinds.shape(of: subject),
        place < Checkpoint.subjectLimit, shape.count <= Checkpoint.blockLimit
      else { throw Malformed() }
      places[id] = place
      record.changedCounts.append(
        SubjectCounts(subject, Array(repeating: 0, count: shape.count)))
    }
    try pairs(record.changedCounts[place].numbers.count) {
      record.changedCounts[place].numbers[$0] = CountCells.unfolded($1)
    }
    let counts = record.changedCounts[place]
    guard kinds.shape(of: counts.subject)?.isPlausible(counts.numbers, 1) ?? false else {
      throw Malformed()
    }
  }

  /// Reads pairs of a place below `count` and its number.
  private mutating func pairs(
    _ count: Int, _ body: (_ place: Int, _ number: UInt64) -> Void
  ) throws(Malformed) {
    var next = 0
    while true {
      let step = try number(upTo: count - next)
      if step == 0 { return }
      body(next + step - 1, try number())
      next += step
    }
  }

  private mutating func view(of record: inout SessionRecord) throws(Malformed) {
    let key = try key()
    let (placements, masks) = (try text(), try text())
    if !record.changedViews.contains(where: { $0.key == key }) {
      guard !placements.isEmpty else { throw Malformed() }
      record.changedViews.append(ScreenView(key: key))
    }
    guard let place = record.changedViews.firstIndex(where: { $0.key == key }) else { return }
    if !placements.isEmpty {
      guard let placements = Placement.list(placements), let masks = Rectangle.list(masks) else {
        throw Malformed()
      }
      record.changedViews[place].placements = placements
      record.changedViews[place].masks = masks
    }
    record.changedViews[place].shownMilliseconds = UInt64(try count())
    record.changedViews[place].touches = UInt64(try count())
    let layers = try number(upTo: Layer.allCases.count)
    for _ in 0..<layers {
      let layer = Layer.allCases[try number(upTo: Layer.allCases.count - 1)]
      let grid = try grid(layer, of: key, in: &record)
      try pairs(record.changedGrids[grid].counters.count) {
        record.changedGrids[grid].counters[$0] = $1
      }
    }
  }

  private func grid(
    _ layer: Layer, of key: GridKey, in record: inout SessionRecord
  ) throws(Malformed) -> Int {
    let known = record.changedGrids.firstIndex { $0.key == key && $0.layer == layer }
    if let known { return known }
    let blocks = key.geometry.columns * key.geometry.rows
    guard record.blocks + blocks <= Checkpoint.blockLimit else { throw Malformed() }
    record.changedGrids.append(Grid(key: key, layer: layer, counters: Counters(count: blocks)))
    return record.changedGrids.count - 1
  }

  private mutating func key() throws(Malformed) -> GridKey {
    let (display, screen) = (try text(), try text())
    let (width, height) = (
      try number(upTo: DisplayGeometry.pixelLimit), try number(upTo: DisplayGeometry.pixelLimit)
    )
    let scale = Double(bitPattern: try number())
    guard let rotation = Rotation(rawValue: try number(upTo: 270)),
      let geometry = DisplayGeometry(
        pixelWidth: width, pixelHeight: height, scale: scale, rotation: rotation,
        blockSize: try number(upTo: 256))
    else { throw Malformed() }
    return GridKey(display: display, screen: screen, geometry: geometry)
  }

  // MARK: Numbers

  private mutating func number() throws(Malformed) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = rest.popFirst(), shift < 63 || byte <= 1 else { throw Malformed() }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    throw Malformed()
  }

  private mutating func number(upTo limit: Int) throws(Malformed) -> Int {
    let value = try number()
    guard value <= UInt64(limit) else { throw Malformed() }
    return Int(value)
  }

  /// Reads a number that fits into SQLite's integers.
  private mutating func count() throws(Malformed) -> Int64 {
    guard let count = Int64(exactly: try number()) else { throw Malformed() }
    return count
  }

  private mutating func text() throws(Malformed) -> String {
    let length = try number(upTo: .max)
    guard length <= rest.count,
      let text = String(validating: rest.prefix(length), as: UTF8.self)
    else { throw Malformed() }
    rest.removeFirst(length)
    return text
  }
}

extension SessionRecord {
  /// The number of blocks in all grids of the record.
  var blocks: Int { changedGrids.reduce(0) { $0 + $1.counters.count } }
}
