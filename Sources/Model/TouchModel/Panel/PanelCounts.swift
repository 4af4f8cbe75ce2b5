/// The counts of one touchscreen along its raw axes, from which its health is judged. The numbers
/// are additive: those of a day are the sum of those of its sessions. `docs/panel-rules.md` has the
/// rules.
///
/// A panel is divided into `columns` vertical and `rows` horizontal lines of equal width,
/// independent of its electrodes. Line 0 is at the minimum of the axis.
public struct PanelCounts: Hashable, Sendable {
  /// The directions of lines. A vertical line is a range of raw x.
  public enum Direction: Int, Sendable, CaseIterable {
    case vertical, horizontal

    /// The number of lines.
    public var lines: Int { self == .vertical ? PanelCounts.columns : PanelCounts.rows }
  }

  /// The counts of each line.
  public enum LineCount: Int, Sendable, CaseIterable {
    /// A contact moved from one side of the line to the other. To get to the first side, it had
    /// moved by at most three quarters of the width of a line in one report, so a report in the
    /// line was expected.
    case crossed
    /// A contact crossed the line and was never reported in it.
    case skipped
    /// A contact began while another one was at most `pairDistance` lines away in both directions,
    /// and the line is midway between them.
    case pairs
  }

  public static let columns = 64
  public static let rows = 48
  /// The greatest distance of pairs, in lines.
  public static let pairDistance = 3
  /// The number of bins for the time between two reports of a moving contact. The first is for
  /// times below 1,024 µs. The others begin at 1,024 µs times 1, 1.5, 2, 3, 4, 6, 8, 12 … 128, and
  /// the last has no end.
  public static let intervalBins = 16
  /// The numbers of zones for the jitter of resting contacts.
  public static let zoneColumns = 8
  public static let zoneRows = 6
  /// The duration, in µs, below which a contact counts as short.
  public static let shortest: Int64 = 20_000

  /// The numbers, in the order of `PanelNumber`.
  public private(set) var numbers: [Int64]

  public init() { numbers = Array(repeating: 0, count: Self.numberCount) }

  /// The number of counters.
  public static let numberCount = PanelNumber.count

  /// - Precondition: there are `numberCount` numbers.
  public init(numbers: [Int64]) {
    precondition(numbers.count == Self.numberCount)
    self.numbers = numbers
  }

  public static func += (left: inout Self, right: Self) {
    for index in left.numbers.indices { left.numbers[index] += right.numbers[index] }
  }

  /// The contacts that began in a cell.
  public subscript(column column: Int, row row: Int) -> Int64 {
    get { numbers[PanelNumber.touchDowns + row * Self.columns + column] }
    set { numbers[PanelNumber.touchDowns + row * Self.columns + column] = newValue }
  }

  public subscript(count: LineCount, direction: Direction, line: Int) -> Int64 {
    get { numbers[PanelNumber.index(of: count, direction, line)] }
    set { numbers[PanelNumber.index(of: count, direction, line)] = newValue }
  }

  /// The reports of moving contacts, by the time since the previous report. A contact moves if this
  /// step and the previous one were longer than those of a resting contact.
  public subscript(interval bin: Int) -> Int64 {
    get { numbers[PanelNumber.intervals + bin] }
    set { numbers[PanelNumber.intervals + bin] = newValue }
  }

  /// The reports of resting contacts in a zone: zone 0 is at the minimum of both axes. A contact
  /// rests in a report if its steps before and after moved by at most 1 mm on each axis, or 1/256
  /// of the axis if the driver does not know the size.
  public subscript(restingReports zone: Int) -> Int64 {
    get { numbers[PanelNumber.resting + 2 * zone] }
    set { numbers[PanelNumber.resting + 2 * zone] = newValue }
  }

  /// For these reports, the sum of the squared distances from the middle between the previous and
  /// the next report, in square µm. If the driver does not know the size, the unit of length is
  /// 1/100,000 of each axis.
  public subscript(restingSquares zone: Int) -> Int64 {
    get { numbers[PanelNumber.resting + 2 * zone + 1] }
    set { numbers[PanelNumber.resting + 2 * zone + 1] = newValue }
  }

  /// The contacts shorter than `shortest`, by the hour in UTC of their touch-down.
  public subscript(shortIn hour: Int) -> Int64 {
    get { numbers[PanelNumber.short + hour] }
    set { numbers[PanelNumber.short + hour] = newValue }
  }

  /// The contacts that were suspected ghosts, by the hour in UTC of their touch-down.
  public subscript(ghostsIn hour: Int) -> Int64 {
    get { numbers[PanelNumber.ghosts + hour] }
    set { numbers[PanelNumber.ghosts + hour] = newValue }
  }

  /// All contacts.
  public var contacts: Int64 {
    numbers[PanelNumber.touchDowns..<PanelNumber.lines].reduce(0, +)
  }

  /// The bin of the time between two reports.
  /// - Parameter microseconds: values below 0 count as 0.
  public static func bin(of microseconds: Int64) -> Int {
    let halves = microseconds >> 9
    guard halves >= 2 else { return 0 }
    let log = 63 - halves.leadingZeroBitCount
    return min(intervalBins - 1, 2 * log - 1 + Int(halves >> Int64(log - 1) & 1))
  }

  /// The range of times of a bin, in µs.
  static func range(ofBin bin: Int) -> Range<Int64> {
    func start(_ bin: Int) -> Int64 {
      bin == 0 ? .min : Int64(bin % 2 == 1 ? 1024 : 1536) << Int64((bin - 1) / 2)
    }
    return start(bin)..<(bin + 1 < intervalBins ? start(bin + 1) : .max)
  }

  /// Adds the counts of a contact while it moved.
  mutating func add(_ trace: borrowing PanelTrace) {
    for place in trace.passed { numbers[PanelNumber.lines + Int(place)] += 1 }
    for (place, sum) in trace.sums.enumerated() { numbers[PanelNumber.lines + place] += sum }
    for (bin, reports) in trace.binned.enumerated() { self[interval: bin] += reports }
    self[interval: trace.bin] += trace.sameBin
    for rest in trace.formerRests { add(rest) }
    add(trace.rest)
  }

  private mutating func add(_ rest: PanelTrace.Rest) {
    self[restingReports: Int(rest.zone)] += rest.reports
    self[restingSquares: Int(rest.zone)] += Int64(rest.squares.rounded())
  }
}

/// The indexes of the numbers of one panel. The store keeps them in this order.
enum PanelNumber {
  static let touchDowns = 0
  static let lines = touchDowns + PanelCounts.columns * PanelCounts.rows
  static let intervals =
    lines + PanelCounts.LineCount.allCases.count * (PanelCounts.columns + PanelCounts.rows)
  static let resting = intervals + PanelCounts.intervalBins
  static let short = resting + 2 * PanelCounts.zoneColumns * PanelCounts.zoneRows
  static let ghosts = short + 24
  static let count = ghosts + 24
  /// The number of lines of both directions.
  static let allLines = PanelCounts.columns + PanelCounts.rows

  static func index(
    of count: PanelCounts.LineCount, _ direction: PanelCounts.Direction, _ line: Int
  ) -> Int {
    let start = direction == .vertical ? 0 : PanelCounts.columns
    return lines + count.rawValue * allLines + start + line
  }
}
