/// What one touchscreen sensed, in its own raw axes, so that its health can be judged. The numbers
/// are additive: those of a day are the sum of those of its sessions. `docs/panel.md` has the rules.
///
/// A panel is divided into `columns` vertical and `rows` horizontal lines of equal width, whatever
/// its number of electrodes. Line 0 is at the minimum of the axis.
public struct PanelCounts: Hashable, Sendable {
  /// The directions of lines. A vertical line is a range of raw x.
  public enum Direction: Int, Sendable, CaseIterable {
    case vertical, horizontal

    /// The number of lines.
    public var lines: Int { self == .vertical ? PanelCounts.columns : PanelCounts.rows }
  }

  /// What is counted for each line.
  public enum LineCount: Int, Sendable, CaseIterable {
    /// A contact moved from one side of the line to the other.
    case crossed
    /// It did so, and was never reported in the line.
    case skipped
    /// A contact began in the line while another one was at most `twinDistance` lines away.
    case twins
  }

  public static let columns = 64
  public static let rows = 48
  /// The greatest distance of twins, in lines.
  public static let twinDistance = 3
  /// The number of bins for the time between two reports of a contact that moves.
  public static let intervalBins = 16
  /// The zones for the jitter of contacts that rest.
  public static let zoneColumns = 8
  public static let zoneRows = 6
  /// A contact that lasts less is short, in µs.
  public static let shortest: Int64 = 20_000

  /// The numbers, in the order of `PanelNumber`.
  public private(set) var numbers: [Int64]

  public init() { numbers = Array(repeating: 0, count: Self.numberCount) }

  /// How many numbers there are.
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
    get { numbers[PanelNumber.landings + row * Self.columns + column] }
    set { numbers[PanelNumber.landings + row * Self.columns + column] = newValue }
  }

  public subscript(count: LineCount, direction: Direction, line: Int) -> Int64 {
    get { numbers[PanelNumber.index(of: count, direction, line)] }
    set { numbers[PanelNumber.index(of: count, direction, line)] = newValue }
  }

  /// The reports of moving contacts, by the time since the report before.
  public subscript(interval bin: Int) -> Int64 {
    get { numbers[PanelNumber.intervals + bin] }
    set { numbers[PanelNumber.intervals + bin] = newValue }
  }

  /// The reports of contacts that rest, in a zone: zone 0 is at the minimum of both axes.
  public subscript(restingReports zone: Int) -> Int64 {
    get { numbers[PanelNumber.resting + 2 * zone] }
    set { numbers[PanelNumber.resting + 2 * zone] = newValue }
  }

  /// The sum of the squares of their distances from where they rest, in square µm, or in square raw
  /// units if the panel does not know its size.
  public subscript(restingSquares zone: Int) -> Int64 {
    get { numbers[PanelNumber.resting + 2 * zone + 1] }
    set { numbers[PanelNumber.resting + 2 * zone + 1] = newValue }
  }

  /// The short contacts, by the hour of the local day.
  public subscript(shortIn hour: Int) -> Int64 {
    get { numbers[PanelNumber.short + hour] }
    set { numbers[PanelNumber.short + hour] = newValue }
  }

  /// The contacts that were suspected ghosts, by the hour of the local day.
  public subscript(ghostsIn hour: Int) -> Int64 {
    get { numbers[PanelNumber.ghosts + hour] }
    set { numbers[PanelNumber.ghosts + hour] = newValue }
  }

  /// All contacts.
  public var contacts: Int64 {
    numbers[PanelNumber.landings..<PanelNumber.lines].reduce(0, +)
  }
}

/// The places of the numbers of one panel. The store keeps them in this order.
enum PanelNumber {
  static let landings = 0
  static let lines = landings + PanelCounts.columns * PanelCounts.rows
  static let intervals =
    lines + PanelCounts.LineCount.allCases.count * (PanelCounts.columns + PanelCounts.rows)
  static let resting = intervals + PanelCounts.intervalBins
  static let short = resting + 2 * PanelCounts.zoneColumns * PanelCounts.zoneRows
  static let ghosts = short + 24
  static let count = ghosts + 24

  static func index(
    of count: PanelCounts.LineCount, _ direction: PanelCounts.Direction, _ line: Int
  ) -> Int {
    let all = PanelCounts.columns + PanelCounts.rows
    let start = direction == .vertical ? 0 : PanelCounts.columns
    return lines + count.rawValue * all + start + line
  }
}
