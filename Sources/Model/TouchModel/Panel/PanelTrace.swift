/// The values that a contact will add to the counts of its panel once it is committed. Their size
/// does not depend on the duration of the contact. A report that leaves the contact in its lines
/// changes a few numbers and no array.
struct PanelTrace: Sendable {
  /// The largest number of lines that a contact skips. After a longer jump it is another contact,
  /// or reports were lost.
  static let longestSkip = 8
  /// A step longer than any other, for an unknown step. A contact that has just begun may be a
  /// flick.
  private static let unknownStep: Int64 = 1 << 40
  /// The number of listed passages above which they are added up.
  private static let listLimit = 512
  /// The number of listed stays in zones above which they are added up.
  private static let restLimit = 128

  /// The lines of one direction that the contact passes.
  private struct Passage: Sendable {
    /// The line of the last report.
    var line: PanelLine
    /// The direction in which the contact entered the line: 1 or -1; 0 if it began in the line or
    /// was too fast.
    var entry: Int32 = 0
    /// The last step, in raw units.
    var step = PanelTrace.unknownStep

    init(at line: PanelLine) { self.line = line }

    /// Moves to another line, and lists the lines that the contact leaves or skips.
    /// - Parameters:
    ///   - slow: the longest step of a slow contact, in raw units.
    ///   - start: the index of the direction's first line, among all lines.
    @inline(__always)
    mutating func move(to next: PanelLine, slow: Int64, from start: Int32, _ passed: inout [UInt16])
    {
      let direction: Int32 = next.number > line.number ? 1 : -1
      if entry == direction { passed.append(UInt16(start + line.number)) }
      // A contact that was slow is expected to be reported in the next line.
      let isSlow = abs(step) <= slow
      if isSlow, abs(next.number - line.number) - 1 <= PanelTrace.longestSkip {
        var between = line.number + direction
        while between != next.number {
          passed.append(UInt16(start + between))
          passed.append(UInt16(start + between + Int32(PanelNumber.allLines)))
          between += direction
        }
      }
      entry = isSlow ? direction : 0
      line = next
    }
  }

  /// The jitter of the contact in one zone.
  struct Rest: Sendable {
    var zone: Int32
    var reports: Int64 = 0
    var squares = 0.0
  }

  let lines: PanelLines
  /// The lines in which the contact began.
  private let firstColumn: Int32
  private let firstRow: Int32
  var column: Int { Int(firstColumn) }
  var row: Int { Int(firstRow) }
  /// The indexes, from `PanelNumber.lines` on, each of which must be increased by 1.
  private(set) var passed: [UInt16] = []
  /// The sums of passages that are no longer listed; empty at first.
  private(set) var sums: [Int64] = []
  /// The reports by their bin of intervals, without the last `sameBin`; empty at first.
  private(set) var binned: [Int64] = []
  private(set) var bin = 0
  private(set) var sameBin: Int64 = 0
  /// The range of times of the current bin, in µs.
  private var binRange: Range<Int64> = 0..<0
  /// The jitter before `rest`, by stay in a zone. A zone may occur more than once.
  private(set) var formerRests: [Rest] = []
  private(set) var rest = Rest(zone: 0)

  private var across: Passage
  private var down: Passage
  private var hasMoved = false
  /// Whether the last step was that of a resting contact.
  private var wasShort = false

  init(_ lines: PanelLines, rawX: Int32, rawY: Int32) {
    self.lines = lines
    across = Passage(at: lines.column(of: rawX))
    down = Passage(at: lines.row(of: rawY))
    (firstColumn, firstRow) = (across.line.number, down.line.number)
  }

  /// Adds a report that moves the contact.
  /// - Parameters:
  ///   - x: the motion along the x axis, in raw units.
  ///   - interval: the time since the previous report, in µs.
  @inline(__always)
  mutating func move(by x: Int64, _ y: Int64, toX rawX: Int32, _ rawY: Int32, after interval: Int64)
  {
    if !across.line.contains(rawX) { passAcross(to: rawX) }
    if !down.line.contains(rawY) { passDown(to: rawY) }
    let isShort = x.magnitude <= lines.restX && y.magnitude <= lines.restY
    if isShort == wasShort, hasMoved {
      if isShort {
        // This is twice the distance of the previous report from the middle of its neighbours.
        rest(square: lines.square(Double(x - across.step), Double(y - down.step)) / 4)
      } else {
        if !binRange.contains(interval) { changeBin(to: interval) }
        sameBin += 1
      }
    }
    wasShort = isShort
    hasMoved = true
    (across.step, down.step) = (x, y)
  }

  // Rarely called, and therefore not inlined into `move`; likewise the next two functions.
  @inline(never)
  private mutating func passAcross(to rawX: Int32) {
    makeRoom()
    across.move(to: lines.column(of: rawX), slow: lines.slowX, from: 0, &passed)
  }

  @inline(never)
  private mutating func passDown(to rawY: Int32) {
    makeRoom()
    down.move(
      to: lines.row(of: rawY), slow: lines.slowY, from: Int32(PanelCounts.columns), &passed)
  }

  @inline(__always)
  private mutating func makeRoom() {
    if passed.isEmpty { return passed.reserveCapacity(64) }
    if passed.count > Self.listLimit { addUpPassed() }
  }

  private mutating func addUpPassed() {
    if sums.isEmpty { sums = Array(repeating: 0, count: 2 * PanelNumber.allLines) }
    for place in passed { sums[Int(place)] += 1 }
    passed.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  private mutating func rest(square: Double) {
    let zone = (down.line.number >> 3) << 3 | across.line.number >> 3
    if zone != rest.zone { changeZone(to: zone) }
    rest.reports += 1
    rest.squares += min(square, Double(PanelCounts.largestSquare))
  }

  @inline(never)
  private mutating func changeZone(to zone: Int32) {
    if formerRests.isEmpty { formerRests.reserveCapacity(16) }
    if rest.reports > 0 { formerRests.append(rest) }
    rest = Rest(zone: zone)
    guard formerRests.count > Self.restLimit else { return }
    var sums = (0..<PanelCounts.zoneColumns * PanelCounts.zoneRows).map { Rest(zone: Int32($0)) }
    for rest in formerRests {
      sums[Int(rest.zone)].reports += rest.reports
      sums[Int(rest.zone)].squares += rest.squares
    }
    formerRests = sums.filter { $0.reports > 0 }
  }

  private mutating func changeBin(to interval: Int64) {
    if sameBin > 0 {
      if binned.isEmpty { binned = Array(repeating: 0, count: PanelCounts.intervalBins) }
      binned[bin] += sameBin
    }
    sameBin = 0
    bin = PanelCounts.bin(of: interval)
    binRange = PanelCounts.range(ofBin: bin)
  }

  /// Returns the lines midway between the current positions of this contact and another one.
  /// - Returns: nil if they are more than `PanelCounts.pairDistance` lines apart, or if their
  ///   panels have different lines.
  func middle(to other: borrowing PanelTrace) -> (column: Int, row: Int)? {
    let (x, y) = (across.line.number, down.line.number)
    let (otherX, otherY) = (other.across.line.number, other.down.line.number)
    guard abs(x - otherX) <= PanelCounts.pairDistance,
      abs(y - otherY) <= PanelCounts.pairDistance, lines === other.lines
    else { return nil }
    return (Int(x + otherX) / 2, Int(y + otherY) / 2)
  }
}
