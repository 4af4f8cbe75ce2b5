import Glibc
public import TouchModel

/// Sessions of a simulated kiosk with 64 x 48 blocks. It has a dozen buttons of different size and
/// popularity, and a few touches anywhere. Some people touch more than others (a gamma
/// distribution), so counts are over-dispersed and a session's blocks are correlated. Some people
/// drum on one spot.
public struct SimulatedKiosk {
  public static let columns = 64
  public static let rows = 48

  /// The shape of the gamma distribution with mean 1 of people's activity. A small shape means
  /// large differences between people.
  public var shape = 1.0
  /// The expected touches of a session, by block.
  public var rates: [Double]
  /// For each button, the 3 x 3 blocks around its centre.
  public private(set) var buttons: [[Int]] = []
  private static let onButtons = 12.0
  private static let anywhere = 3.0
  private static let drumming = 0.02
  /// The mean of the distribution from which the number of additional touches is drawn when a
  /// person drums.
  private static let drums = 6.0

  public init(shape: Double = 1, using generator: inout SeededGenerator) {
    self.shape = shape
    var weights = Array(repeating: 0.0, count: Self.columns * Self.rows)
    for _ in 0..<12 {
      let fame = generator.gamma(0.7) + 0.02
      let (x, y) = (
        Double.random(in: 4...60, using: &generator), Double.random(in: 4...44, using: &generator)
      )
      let size = Double.random(in: 0.7...2, using: &generator)
      buttons.append(
        (Int(y) - 1...Int(y) + 1).flatMap { row in
          (Int(x) - 1...Int(x) + 1).map { row * Self.columns + $0 }
        })
      for row in max(0, Int(y) - 8)...min(Self.rows - 1, Int(y) + 8) {
        for column in max(0, Int(x) - 8)...min(Self.columns - 1, Int(x) + 8) {
          let (dx, dy) = (Double(column) - x, Double(row) - y)
          weights[row * Self.columns + column] +=
            fame / (size * size) * exp(-(dx * dx + dy * dy) / (2 * size * size))
        }
      }
    }
    let total = weights.reduce(0, +)
    rates = weights.map { Self.onButtons * $0 / total + Self.anywhere / Double(weights.count) }
  }

  /// The 200 blocks with the most touches, the busiest first.
  public var busiest: [Int] {
    Array(rates.indices.sorted { rates[$0] > rates[$1] }.prefix(200))
  }

  public struct Side {
    public var sessions: UInt64
    public var sum: [UInt64]
    public var squares: [UInt128]
    public var touched: [UInt64]
    /// The counts of all sessions.
    public var counts: [SessionCount] = []
  }

  public func side(sessions: Int, using generator: inout SeededGenerator) -> Side {
    var bounds: [Double] = []
    bounds.reserveCapacity(rates.count)
    var total = 0.0
    for rate in rates {
      total += rate
      bounds.append(total)
    }
    var side = Side(
      sessions: UInt64(sessions), sum: Array(repeating: 0, count: rates.count),
      squares: Array(repeating: 0, count: rates.count),
      touched: Array(repeating: 0, count: rates.count))
    for session in 0..<sessions {
      var counts: [Int: UInt64] = [:]
      // The waiting times between touches are exponential, so their number has a Poisson
      // distribution.
      let end = total * generator.gamma(shape) / shape
      var time = -log(generator.uniform())
      while time < end {
        let block = Self.place(generator.uniform() * total, in: bounds)
        var count: UInt64 = 1
        if generator.uniform() < Self.drumming {
          count += UInt64(1 - Self.drums * log(generator.uniform()))
        }
        counts[block, default: 0] += count
        time -= log(generator.uniform())
      }
      for (block, count) in counts {
        side.sum[block] += count
        side.squares[block] += UInt128(count) * UInt128(count)
        side.touched[block] += 1
        side.counts.append(SessionCount(block: block, session: Int64(session), count: count))
      }
    }
    return side
  }

  /// Returns the index of the first bound above a value.
  private static func place(_ value: Double, in bounds: [Double]) -> Int {
    var (low, high) = (0, bounds.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if bounds[middle] > value { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
