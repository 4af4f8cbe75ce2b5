internal import Text

/// The changes between screens, added up over sessions. `docs/flows.md` has the rules.
public struct FlowCounts: Hashable, Sendable {
  /// The number of sessions. Excludes those in which recording was paused, and those with too many
  /// changes of screens.
  public var sessions: UInt64
  /// Each screen of each display once.
  public var screens: [ScreenFlow]
  public var steps: [FlowStep]
  public var funnels: [FunnelCounts]

  public init(
    sessions: UInt64 = 0, screens: [ScreenFlow] = [], steps: [FlowStep] = [],
    funnels: [FunnelCounts] = []
  ) {
    self.sessions = sessions
    self.screens = screens
    self.steps = steps
    self.funnels = funnels
  }
}

/// The use of one screen of one display.
public struct ScreenFlow: Hashable, Sendable {
  public var display: String
  public var screen: String
  /// The number of sessions that saw it.
  public var sessions: UInt64 = 0
  /// The number of sessions that began with it.
  public var entries: UInt64 = 0
  /// The number of times that it appeared after another screen.
  public var visits: UInt64 = 0
  /// The time from its appearance to the first touch, by `PauseBins`. The last number counts the
  /// visits without a touch.
  public var firstTouches = PauseBins.none
  /// The time from the end of a touch to the next touch-down of the same visit, by `PauseBins`. The
  /// last number counts the visits in which the screen disappeared after the last touch.
  public var pauses = PauseBins.none
  /// The sessions whose last screen it was, by the reason why they ended, in the order of
  /// `SessionEnd.allCases`.
  public var exits = [UInt64](repeating: 0, count: SessionEnd.allCases.count)
  /// Of these, the sessions of a single touch.
  public var oneTouchSessions: UInt64 = 0

  public init(display: String, screen: String) {
    self.display = display
    self.screen = screen
  }
}

/// A change from one screen of a display to another.
public struct FlowStep: Hashable, Sendable {
  public var display: String
  public var from: String
  public var to: String
  public var times: UInt64
  /// The number of sessions with this change.
  public var sessions: UInt64

  public init(display: String, from: String, to: String, times: UInt64, sessions: UInt64) {
    self.display = display
    self.from = from
    self.to = to
    self.times = times
    self.sessions = sessions
  }
}

/// Screens that people should see one after another. Others may come between.
public struct Funnel: Hashable, Sendable {
  /// The maximum number of screens.
  public static let screenLimit = 8
  /// The maximum number of funnels.
  public static let limit = 16

  public var name: String
  public var screens: [String]

  public init(name: String, screens: [String]) {
    self.name = name
    self.screens = screens
  }
}

/// The number of sessions that reached each screen of a funnel.
public struct FunnelCounts: Hashable, Sendable {
  public var funnel: Funnel
  /// For each screen, the sessions that saw it after all screens before it.
  public var reached: [UInt64]

  public init(_ funnel: Funnel, reached: [UInt64]) {
    self.funnel = funnel
    self.reached = reached
  }
}

/// The 24 ranges in which waiting times are counted. The limits are 125 ms times powers of the
/// square root of 2. The first range includes shorter times, the last one (from 362 s) longer ones.
/// A 25th number counts the waits that never ended.
public enum PauseBins {
  public static let count = 24
  public static let none = [UInt64](repeating: 0, count: count + 1)
  /// The lower limits, in µs. The first one is 125 ms.
  public static let limits: [Int64] = (0..<count).map { bin in
    let whole = Int64(125_000) << (bin / 2)
    return bin.isMultiple(of: 2) ? whole : Int64((Double(whole) * 2.0.squareRoot()).rounded())
  }

  static func bin(of time: Int64) -> Int { (limits.lastIndex { $0 <= time }) ?? 0 }

  /// Returns the median in ms of the waits that ended. Within a range, they are assumed to be
  /// spread evenly on a logarithmic scale, like the limits.
  /// - Returns: nil if none ended.
  public static func median(_ numbers: [UInt64]) -> Double? {
    let ended = numbers.prefix(count)
    let half = Double(ended.reduce(0, &+)) / 2
    guard half > 0 else { return nil }
    var before = 0.0
    for (bin, number) in ended.enumerated() where number > 0 {
      if before + Double(number) >= half {
        let share = (half - before) / Double(number)
        let low = Double(limits[bin]) / 1000
        // `power(share)` is the square root of 2 to the power of `share`, for shares of 0 to 1.
        return low * power(share)
      }
      before += Double(number)
    }
    return nil
  }

  /// Returns the square root of 2 to the power of a number from 0 to 1: the sum of its series.
  private static func power(_ share: Double) -> Double {
    let exponent = share * 0.346573590279972654709
    var (term, sum) = (1.0, 1.0)
    for step in 1...12 {
      term *= exponent / Double(step)
      sum += term
    }
    return sum
  }
}

extension FlowCounts {
  /// The same counts in a fixed order, which does not reveal their original order.
  public var sorted: FlowCounts {
    FlowCounts(
      sessions: sessions, screens: screens.sorted { Self.isBefore($0.key, $1.key) },
      steps: steps.sorted { Self.isBefore($0.key, $1.key) },
      funnels: funnels.sorted { Self.isBefore($0.funnel.key, $1.funnel.key) })
  }

  private static func isBefore(_ left: [ExactName], _ right: [ExactName]) -> Bool {
    left.lexicographicallyPrecedes(right) { one, other in
      one.text.hasBytesBefore(other.text)
    }
  }
}

extension ScreenFlow {
  fileprivate var key: [ExactName] { [ExactName(display), ExactName(screen)] }
}

extension FlowStep {
  fileprivate var key: [ExactName] { [ExactName(display), ExactName(from), ExactName(to)] }
}

extension Funnel {
  fileprivate var key: [ExactName] { ([name] + screens).map { ExactName($0) } }
}
