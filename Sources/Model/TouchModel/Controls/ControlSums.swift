/// The counts of one control: 47 whole numbers, so that sums over sessions and days are exact.
/// `docs/controls.md` has the rules.
public struct ControlSums: Hashable, Sendable {
  /// The distribution of touches around the centre of the control, in whole points; x goes right, y
  /// down.
  public struct Scatter: Hashable, Sendable {
    /// The number of touches.
    public var count: Int64 = 0
    public var x: Int64 = 0
    public var y: Int64 = 0
    /// The sums of the squares and of the products.
    public var xx: Int64 = 0
    public var yy: Int64 = 0
    public var xy: Int64 = 0

    public init() {}
  }

  /// A side of the control. A touch diagonal to a corner belongs to the side from which it is
  /// farther away.
  public enum Side: Int, Sendable, CaseIterable {
    case left, right, top, bottom
  }

  /// The outer edges of the rings around a control, in mm from its rectangle. A ring includes its
  /// outer edge.
  public static let rings = [1.0, 2, 3, 5, 10]
  /// A touch in no control is a near miss of the nearest control up to this distance, in mm.
  public static let nearMiss = 5.0
  /// The number of bins for response times: the first up to 16 ms, each next one up to twice as
  /// long, the ninth up to 4 s, and the last for no response.
  public static let responseBins = 10

  /// The touches in the control, except where another control lies above it.
  public var hits = Scatter()
  /// The touches in no control to which this one was the nearest, at most `nearMiss` away.
  public var nearMisses = Scatter()
  /// The touches in no control to which this one was the nearest, by side and ring.
  public var beside = Array(
    repeating: Array(repeating: Int64(0), count: rings.count), count: Side.allCases.count)
  /// The near misses whose next touch on the screen, within 3 s, hit the control.
  public var retried: Int64 = 0
  /// The number of runs of rage taps.
  public var rageRuns: Int64 = 0
  /// The taps in these runs.
  public var rageTaps: Int64 = 0
  /// The sessions with such a run.
  public var rageSessions: Int64 = 0
  /// The hits by the time until the screen changed. Hits without an observation are not included.
  public var responses = Array(repeating: Int64(0), count: responseBins)
  /// The sessions that hit the control.
  public var sessions: Int64 = 0

  public init() {}

  /// The number of counters of a control.
  public static let numberCount = ControlNumber.count

  /// - Parameter numbers: `numberCount` numbers in the order of `ControlNumber`.
  public init(_ numbers: ArraySlice<Int64>) {
    precondition(numbers.count == Self.numberCount)
    var rest = numbers
    func next() -> Int64 { rest.removeFirst() }
    func scatter() -> Scatter {
      var scatter = Scatter()
      (scatter.count, scatter.x, scatter.y) = (next(), next(), next())
      (scatter.xx, scatter.yy, scatter.xy) = (next(), next(), next())
      return scatter
    }
    hits = scatter()
    nearMisses = scatter()
    beside = Side.allCases.map { _ in Self.rings.map { _ in next() } }
    retried = next()
    (rageRuns, rageTaps, rageSessions) = (next(), next(), next())
    responses = (0..<Self.responseBins).map { _ in next() }
    sessions = next()
  }

  /// The numbers in the order of `ControlNumber`.
  public var numbers: [Int64] {
    let scatters = [hits, nearMisses].flatMap { [$0.count, $0.x, $0.y, $0.xx, $0.yy, $0.xy] }
    return scatters + beside.joined() + [retried, rageRuns, rageTaps, rageSessions] + responses
      + [sessions]
  }
}

/// The indexes of the numbers of one control. The store keeps them in this order.
enum ControlNumber {
  static let hits = 0
  static let nearMisses = 6
  static let beside = 12
  static let retried = 32
  static let rageRuns = 33
  static let rageTaps = 34
  static let rageSessions = 35
  static let responses = 36
  static let sessions = 46
  static let count = 47
}

/// The counts of a set of controls on one screen and display geometry.
public struct ControlCounts: Hashable, Sendable {
  public var key: GridKey
  public var set: ControlSet
  /// The numbers of all controls, in the order of the set: `ControlSums.numberCount` for each.
  public var numbers: [Int64]

  /// - Precondition: there are `ControlSums.numberCount` numbers for each control.
  public init(key: GridKey, set: ControlSet, numbers: [Int64]) {
    precondition(numbers.count == set.controls.count * ControlSums.numberCount)
    self.key = key
    self.set = set
    self.numbers = numbers
  }

  public subscript(control: Int) -> ControlSums {
    let start = control * ControlSums.numberCount
    return ControlSums(numbers[start..<(start + ControlSums.numberCount)])
  }
  public var isPlausible: Bool { ControlSums.arePlausible(numbers) }

  /// The touches in the counts: hits, and touches beside a control.
  public var touches: Int64 { ControlSums.touches(in: numbers) }
}

extension ControlSums {
  /// The near misses that `beside` has.
  private var placedNearMisses: Int64 {
    beside.reduce(0) { sum, rings in
      rings.dropLast().reduce(sum) { $0.addingReportingOverflow($1).partialValue }
    }
  }

  /// Whether it is known where the near misses lay and which were retried. A release leaves it out.
  public var hasPlaces: Bool { placedNearMisses == nearMisses.count }

  /// The largest plausible count: 2^53. Sums of a few of them cannot overflow.
  static let mostCounted: Int64 = 1 << 53

  /// The largest plausible sum of distances, of their squares or products: a few of them fit into
  /// 64 bits.
  private static let mostScatter: Int64 = 1 << 61

  private static func each(of numbers: [Int64]) -> [ControlSums] {
    stride(from: 0, to: numbers.count, by: numberCount).map {
      ControlSums(numbers[$0..<($0 + numberCount)])
    }
  }

  /// Whether the numbers of a set are possible: each is in its range, and they do not contradict
  /// each other.
  static func arePlausible(_ numbers: [Int64]) -> Bool {
    each(of: numbers).allSatisfy { sums in
      let counts =
        sums.beside.joined() + sums.responses + [
          sums.hits.count, sums.nearMisses.count, sums.retried, sums.rageRuns, sums.rageTaps,
          sums.rageSessions, sums.sessions,
        ]
      let squares = [sums.hits, sums.nearMisses].flatMap { [$0.xx, $0.yy] }
      let scatters = [sums.hits, sums.nearMisses].flatMap { [$0.x, $0.y, $0.xy] }
      return counts.allSatisfy((0...mostCounted).contains)
        && squares.allSatisfy((0...mostScatter).contains)
        && scatters.allSatisfy((-mostScatter...mostScatter).contains)
        && sums.placedNearMisses <= sums.nearMisses.count
        && sums.responses.reduce(0, { $0.addingReportingOverflow($1).partialValue })
          <= sums.hits.count
        && sums.retried <= sums.nearMisses.count && sums.sessions <= sums.hits.count
        && sums.rageSessions <= sums.rageRuns && sums.rageRuns <= sums.rageTaps / 3
    }
  }

  /// The touches in the numbers of a set: hits, and touches beside a control.
  static func touches(in numbers: [Int64]) -> Int64 {
    each(of: numbers).reduce(0) { sum, sums in
      sums.beside.joined().reduce(sum.addingReportingOverflow(sums.hits.count).partialValue) {
        $0.addingReportingOverflow($1).partialValue
      }
    }
  }
}
