internal import CZlib
internal import TouchModel

/// The changes of a running session since its last checkpoint, or since its rows were last written,
/// in one value. (Its rows are those of the session, its views and its grids.)
/// `docs/store-format.md` describes the format.
struct Checkpoint {
  static let format: UInt8 = 1
  /// The limit of blocks in all grids of a session. A session with more is written as rows.
  static let blockLimit = 1 << 23

  /// The maximum number of subjects, which is more than a session has.
  static let subjectLimit = 1 << 14

  /// How many bytes of a layer are appended at once.
  private static let chunk = 1024

  /// The number of numbers that are compared at once.
  private static let strideOfNumbers = 64

  private var bytes: [UInt8] = [format]

  var count: Int { bytes.count }

  /// Returns the checkpoint, followed by its checksum.
  consuming func sealed() -> [UInt8] {
    bytes += Self.checksum(bytes[...])
    return bytes
  }

  /// Whether the bytes end with the checksum of the bytes before it.
  static func isSealed(_ bytes: [UInt8]) -> Bool {
    checksum(bytes.dropLast(4)) == Array(bytes.suffix(4))
  }

  /// Returns the CRC-32 of zlib, lowest byte first.
  static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let sum = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe crc32(0, bytes.baseAddress, UInt32(bytes.count))
    }
    return (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
  }

  /// - Parameter place: the number of the checkpoint, counted from 1 since the rows were last
  ///   written.
  init(_ record: SessionRecord, place: Int) {
    bytes.append(number: UInt64(place))
    bytes.append(
      number: UInt64(record.lastActive.milliseconds - record.began.milliseconds))
    for (field, _) in SessionTotals.fields {
      bytes.append(number: record.totals[keyPath: field])
    }
  }

  /// Appends the number of subjects whose counts have changed. Append these next, and then the
  /// views.
  mutating func add(subjects: Int) { bytes.append(number: UInt64(subjects)) }

  /// Appends the changed counts of a subject.
  /// - Parameters:
  ///   - former: the previous counts; nil if the subject is new to the session.
  ///   - limit: the size of the checkpoint, in bytes, above which the rest is left out.
  mutating func add(_ counts: SubjectCounts, since former: SubjectCounts?, upTo limit: Int) {
    let subject = counts.subject
    bytes.append(number: Self.number(of: subject))
    bytes.append(text: former == nil ? subject.kind : "")
    if former == nil { bytes.append(text: subject.key) }
    add(counts.numbers, since: former?.numbers, upTo: limit)
  }

  /// The number that identifies a subject in the checkpoints of its session: the CRC-32 of its
  /// texts.
  static func number(of subject: CountSubject) -> UInt64 {
    checksum(Array((subject.kind + subject.key).utf8)[...]).reversed()
      .reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Appends the numbers that differ from `former`, and a 0.
  private mutating func add(_ numbers: [Int64], since former: [Int64]?, upTo limit: Int) {
    let former = former ?? Array(repeating: 0, count: numbers.count)
    var next = 0
    for index in Self.changes(from: former, to: numbers) {
      guard bytes.count <= limit else { return }
      bytes.append(number: UInt64(index - next + 1))
      bytes.append(number: CountCells.folded(numbers[index]))
      next = index + 1
    }
    bytes.append(0)
  }

  /// Returns the indices at which two lists of numbers differ.
  /// - Precondition: both have the same length.
  private static func changes(from former: [Int64], to numbers: [Int64]) -> [Int] {
    precondition(former.count == numbers.count)
    return stride(from: 0, to: numbers.count, by: strideOfNumbers).flatMap { start in
      let range = start..<min(start + strideOfNumbers, numbers.count)
      let (old, new) = (former.span, numbers.span)
      // Most numbers are unchanged, which takes few instructions to detect without checks of
      // indices. All indices in the range are valid for both lists.
      var difference: Int64 = 0
      for index in range { unsafe difference |= old[unchecked: index] ^ new[unchecked: index] }
      return difference == 0 ? [] : range.filter { former[$0] != numbers[$0] }
    }
  }

  /// Appends a view. Its layers must be appended next.
  /// - Parameters:
  ///   - hasLists: whether its placements and masks have changed and are included.
  ///   - layers: the number of its layers.
  mutating func add(_ view: ScreenView, hasLists: Bool, layers: Int) {
    let geometry = view.key.geometry
    bytes.append(text: view.key.display)
    bytes.append(text: view.key.screen)
    bytes.append(number: UInt64(geometry.pixelWidth))
    bytes.append(number: UInt64(geometry.pixelHeight))
    bytes.append(number: geometry.scale.bitPattern)
    bytes.append(number: UInt64(geometry.rotation.rawValue))
    bytes.append(number: UInt64(geometry.blockSize))
    bytes.append(text: hasLists ? Placement.text(view.placements) : "")
    bytes.append(text: hasLists ? Rectangle.text(view.masks) : "")
    bytes.append(number: view.shownMilliseconds)
    bytes.append(number: view.touches)
    bytes.append(number: UInt64(layers))
  }

  /// Appends the counters of a layer that differ from `former`.
  /// - Parameters:
  ///   - former: the counters before; nil if all were zero.
  ///   - limit: the size of the checkpoint, in bytes, above which the rest is left out.
  mutating func add(
    _ layer: Layer, _ counters: Counters, since former: Counters?, upTo limit: Int
  ) {
    bytes.append(number: UInt64(layer.place))
    var next = 0
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.chunk) { buffer in
      var size = 0
      counters.forEachChange(since: former) { index, value in
        guard bytes.count + size <= limit else { return }
        unsafe buffer.put(UInt64(index - next + 1), at: &size)
        unsafe buffer.put(value, at: &size)
        next = index + 1
        guard size > Self.chunk - 2 * CountCells.bytesPerNumber else { return }
        unsafe bytes.append(contentsOf: buffer[..<size])
        size = 0
      }
      unsafe bytes.append(contentsOf: buffer[..<size])
    }
    bytes.append(0)
  }
}

extension [UInt8] {
  /// Appends a number in groups of seven bits, lowest first. The eighth bit of a byte means that
  /// another byte follows.
  @inline(__always)
  fileprivate mutating func append(number value: UInt64) {
    var rest = value
    while rest > 0x7f {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  fileprivate mutating func append(text: String) {
    append(number: UInt64(text.utf8.count))
    append(contentsOf: text.utf8)
  }
}
