/// The counts of one panel on one day, added up over sessions.
public struct SummedPanel: Hashable, Sendable {
  /// The day of the kiosk's calendar on which the sessions began: `YYYY-MM-DD`.
  public var day: String
  public var key: PanelKey
  /// The sessions that touched the panel.
  public var sessions: UInt64
  public var counts: PanelCounts

  public init(day: String, key: PanelKey, sessions: UInt64, counts: PanelCounts) {
    self.day = day
    self.key = key
    self.sessions = sessions
    self.counts = counts
  }
}

extension PanelCounts {
  /// The largest plausible count. The sum of all numbers of a panel is then below 2^63.
  public static let mostCounted: Int64 = 1 << 48
  /// The largest plausible sum of squares.
  public static let largestSquares: Int64 = 1 << 53
  /// The largest square of one report of a resting contact.
  public static let largestSquare: Int64 = 2_000_000

  /// Whether the numbers are possible: each is in its range, no line was skipped more often than it
  /// was crossed, and the squares of a zone fit its reports.
  public var isPlausible: Bool {
    // A quick check: usually the bits of all numbers together are already small enough.
    let bits = numbers.reduce(0 as UInt64) { $0 | UInt64(bitPattern: $1) }
    guard bits < Self.mostCounted || areInRange else { return false }
    let areSquaresPossible = (0..<Self.zoneColumns * Self.zoneRows).allSatisfy { zone in
      let (most, rest) = self[restingSquares: zone].quotientAndRemainder(
        dividingBy: Self.largestSquare)
      return most + (rest > 0 ? 1 : 0) <= self[restingReports: zone]
    }
    return areSquaresPossible
      && Direction.allCases.allSatisfy { direction in
        (0..<direction.lines).allSatisfy { line in
          self[.skipped, direction, line] <= self[.crossed, direction, line]
        }
      }
  }

  private var areInRange: Bool {
    numbers.enumerated().allSatisfy { index, number in
      (0...(PanelNumber.isSquares(index) ? Self.largestSquares : Self.mostCounted)).contains(number)
    }
  }
}

extension PanelNumber {
  fileprivate static func isSquares(_ index: Int) -> Bool {
    (resting..<short).contains(index) && (index - resting) % 2 == 1
  }
}

extension PanelCounts {
  /// The numbers as lists, for formats that name them.
  public struct Parts: Hashable, Sendable {
    /// The contacts that began in each cell, row by row.
    public var touchDowns: [Int64] = []
    /// The counts of each vertical line, then of each horizontal one; likewise the next two.
    public var crossed: [Int64] = []
    public var skipped: [Int64] = []
    public var pairs: [Int64] = []
    public var intervals: [Int64] = []
    /// For each zone, row by row.
    public var restingReports: [Int64] = []
    public var restingSquares: [Int64] = []
    /// For each hour.
    public var short: [Int64] = []
    public var ghosts: [Int64] = []

    public init() {}
  }

  public var parts: Parts {
    var parts = Parts()
    parts.touchDowns = Array(numbers[PanelNumber.touchDowns..<PanelNumber.lines])
    func lines(_ count: LineCount) -> [Int64] {
      Direction.allCases.flatMap { direction in
        (0..<direction.lines).map { self[count, direction, $0] }
      }
    }
    parts.crossed = lines(.crossed)
    parts.skipped = lines(.skipped)
    parts.pairs = lines(.pairs)
    parts.intervals = Array(numbers[PanelNumber.intervals..<PanelNumber.resting])
    let zones = 0..<(Self.zoneColumns * Self.zoneRows)
    parts.restingReports = zones.map { self[restingReports: $0] }
    parts.restingSquares = zones.map { self[restingSquares: $0] }
    parts.short = Array(numbers[PanelNumber.short..<PanelNumber.ghosts])
    parts.ghosts = Array(numbers[PanelNumber.ghosts..<PanelNumber.count])
    return parts
  }
}
