internal import Glibc
import TouchModel

/// The places of a screen where touches began close together. The counts of the blocks are fitted
/// by a mixture of normal distributions and of touches anywhere, by expectation maximisation. It
/// starts with a part for each local maximum; parts are joined unless clearly fewer touches lie
/// between them than at both.
struct TapClusters {
  struct Cluster {
    /// The blocks that most likely belong to it, row-major.
    var blocks: [Int] = []
    var touches: UInt64 = 0
    /// The mean place of its touches, in points.
    let middle: Point
    /// The standard deviations across and down, in points.
    let deviation: (x: Double, y: Double)
  }

  /// A part of the mixture: its share of all touches, and its means and deviations, in points.
  private struct Part {
    var share: Double
    var x: Double
    var y: Double
    var deviation: (x: Double, y: Double)
  }

  /// The maximum number of parts at the start, and the standard deviation of the blur in which
  /// they are local maxima, in blocks. There, a maximum must be higher than that of a single touch.
  private static let (mostParts, blur, leastPeak) = (100, 0.6, 1.2)
  /// The rounds of expectation maximisation before parts are joined and afterwards, and the
  /// touches below which a part ends.
  private static let (firstRounds, lastRounds, leastOfPart) = (6, 10, 3.0)
  /// The smallest standard deviation of a part, in mm: fingers scatter more.
  private static let leastDeviation = 1.0
  /// Two parts farther apart than this, in sums of their deviations, stay apart if both have this
  /// many touches. Parts farther apart than `mostApart` stay apart in any case.
  private static let (leastApart, leastOfApart, mostApart) = (2.0, 20.0, 2.5)
  /// Two parts stay apart if the touches between them are fewer by this many standard errors.
  private static let leastZ = 3.0
  /// The smallest share of touches anywhere.
  private static let leastScattered = 0.01
  /// A cluster has at least this many times the touches that touches anywhere would leave there.
  private static let leastContrast = 3.0

  private let taps: SummedGrid
  /// The blocks with touches, and the touches and centres of each.
  private var (blocks, counts, centres): ([Int], [Double], [Point]) = ([], [], [])
  /// The number of blocks that take part, with touches or without.
  private var places = 0.0
  private var touches = 0.0
  private let leastDeviation: Double
  private var parts: [Part] = []
  /// The share of touches anywhere.
  private var scattered = 0.1
  private(set) var all: [Cluster] = []

  private var geometry: DisplayGeometry { taps.key.geometry }

  /// - Parameters:
  ///   - taps: the layer `taps`.
  ///   - pointSize: the size of a point, in mm.
  ///   - apart: touches nearer to each other than this belong to one cluster, in mm.
  ///   - takesPart: whether the touches of a block are considered.
  init(
    _ taps: SummedGrid, pointSize: Double, apart: Double, where takesPart: (Rectangle) -> Bool
  ) {
    self.taps = taps
    leastDeviation = Self.leastDeviation / pointSize
    for block in taps.sum.indices {
      guard let area = taps.key.geometry.area(ofBlock: block), takesPart(area) else { continue }
      places += 1
      guard taps.sum[block] > 0 else { continue }
      blocks.append(block)
      counts.append(Double(taps.sum[block]))
      centres.append(Point(x: area.x + area.width / 2, y: area.y + area.height / 2))
    }
    touches = counts.reduce(0, +)
    guard touches > 0 else { return }
    let maxima = self.maxima
    parts = maxima.map {
      let spread = 3 * leastDeviation
      return Part(
        share: (1 - scattered) / Double(maxima.count), x: $0.x, y: $0.y, deviation: (spread, spread)
      )
    }
    fit(rounds: Self.firstRounds)
    join(apart: apart / pointSize)
    fit(rounds: Self.lastRounds)
    all = clusters
  }

  /// The places of the highest local maxima of the blurred counts, in points.
  private var maxima: [Point] {
    let (columns, rows) = (geometry.columns, geometry.rows)
    let weights = (-3...3).map { exp(-Double($0 * $0) / (2 * Self.blur * Self.blur)) }
    func blurred(_ values: [Double], _ step: Int, _ place: (Int) -> Int, _ end: Int) -> [Double] {
      var result = [Double](repeating: 0, count: values.count)
      for (index, value) in values.enumerated() where value > 0 {
        for offset in -3...3 where (0..<end).contains(place(index) + offset) {
          result[index + offset * step] += value * weights[offset + 3]
        }
      }
      return result
    }
    var values = [Double](repeating: 0, count: columns * rows)
    for (block, count) in zip(blocks, counts) { values[block] = count }
    values = blurred(values, 1, { $0 % columns }, columns)
    values = blurred(values, columns, { $0 / columns }, rows)
    let found = zip(blocks, centres).filter { block, _ in
      guard values[block] >= Self.leastPeak else { return false }
      let (row, column) = block.quotientAndRemainder(dividingBy: columns)
      return (max(0, row - 1)...min(rows - 1, row + 1)).allSatisfy { row in
        (max(0, column - 1)...min(columns - 1, column + 1)).allSatisfy {
          values[row * columns + $0] <= values[block]
        }
      }
    }
    return found.sorted { values[$0.0] > values[$1.0] }.prefix(Self.mostParts).map(\.1)
  }

  // MARK: Expectation maximisation

  private mutating func fit(rounds: Int) {
    for _ in 0..<rounds {
      parts = members().filter { $0.reduce(0, +) >= Self.leastOfPart }.map { part($0) }
      scattered = max(Self.leastScattered, 1 - parts.reduce(0) { $0 + $1.share })
    }
  }

  /// Returns for each part how many touches of each block are likely to be its own.
  private func members() -> [[Double]] {
    let size = Double(geometry.blockSize)
    func within(_ mean: Double, _ deviation: Double, _ count: Int) -> [Double] {
      let below = (0...count).map { Normal.below((Double($0) * size - mean) / deviation) }
      return zip(below.dropFirst(), below).map { $0 - $1 }
    }
    var totals = [Double](repeating: scattered / places, count: blocks.count)
    var members = parts.map { part in
      let across = within(part.x, part.deviation.x, geometry.columns)
      let down = within(part.y, part.deviation.y, geometry.rows)
      return blocks.map { block in
        let (row, column) = block.quotientAndRemainder(dividingBy: geometry.columns)
        return part.share * across[column] * down[row]
      }
    }
    for member in members {
      for index in totals.indices { totals[index] += member[index] }
    }
    for part in members.indices {
      for index in totals.indices { members[part][index] *= counts[index] / totals[index] }
    }
    return members
  }

  /// Returns the part with these touches. The variance within a block is subtracted (Sheppard).
  private func part(_ member: [Double]) -> Part {
    var (sum, x, y) = (0.0, 0.0, 0.0)
    for (count, centre) in zip(member, centres) {
      (sum, x, y) = (sum + count, x + count * centre.x, y + count * centre.y)
    }
    (x, y) = (x / sum, y / sum)
    var (xx, yy) = (0.0, 0.0)
    for (count, centre) in zip(member, centres) {
      xx += count * (centre.x - x) * (centre.x - x)
      yy += count * (centre.y - y) * (centre.y - y)
    }
    let size = Double(geometry.blockSize)
    func deviation(_ squares: Double) -> Double {
      max(leastDeviation, max(0, squares / sum - size * size / 12).squareRoot())
    }
    return Part(share: sum / touches, x: x, y: y, deviation: (deviation(xx), deviation(yy)))
  }

  // MARK: Joining

  /// Joins parts, the nearest first, until those left are apart.
  private mutating func join(apart: Double) {
    struct Pair: Hashable {
      var first: Int
      var second: Int
    }
    var left = Dictionary(
      uniqueKeysWithValues: zip(0..., zip(parts, members()).map { (part: $0, member: $1) }))
    var isApart: Set<Pair> = []
    var next = parts.count
    while true {
      var pairs: [(distance: Double, pair: Pair)] = []
      for (first, one) in left {
        for (second, other) in left where first < second {
          let (x, y) = (other.part.x - one.part.x, other.part.y - one.part.y)
          let distance = hypot(
            x / (one.part.deviation.x + other.part.deviation.x),
            y / (one.part.deviation.y + other.part.deviation.y))
          let pair = Pair(first: first, second: second)
          guard distance <= Self.mostApart || hypot(x, y) < apart, !isApart.contains(pair) else {
            continue
          }
          pairs.append((distance, pair))
        }
      }
      pairs.sort {
        ($0.distance, $0.pair.first, $0.pair.second) < ($1.distance, $1.pair.first, $1.pair.second)
      }
      let found = pairs.first { distance, pair in
        guard let one = left[pair.first], let other = left[pair.second] else { return false }
        let isNear = hypot(one.part.x - other.part.x, one.part.y - other.part.y) < apart
        let isFar =
          distance >= Self.leastApart
          && min(one.part.share, other.part.share) * touches >= Self.leastOfApart
        if isNear || !isFar && !isValley(between: one.part, other.part, one.member, other.member) {
          return true
        }
        isApart.insert(pair)
        return false
      }
      guard let found, let one = left.removeValue(forKey: found.pair.first),
        let other = left.removeValue(forKey: found.pair.second)
      else { break }
      let member = zip(one.member, other.member).map { $0 + $1 }
      left[next] = (part(member), member)
      next += 1
    }
    parts = left.sorted { $0.key < $1.key }.map(\.value.part)
  }

  /// Whether clearly fewer touches of two parts lie between them than at each of the two, in
  /// stripes across the line from one to the other.
  private func isValley(
    between one: Part, _ other: Part, _ ones: [Double], _ others: [Double]
  ) -> Bool {
    let (x, y) = (other.x - one.x, other.y - one.y)
    let distance = hypot(x, y)
    guard distance > 0 else { return false }
    let half = max(distance / 3, Double(geometry.blockSize)) / 2
    let stripes = [0, 0.3, 0.4, 0.5, 0.6, 0.7, 1].map { $0 * distance }
    var sums = [Double](repeating: 0, count: stripes.count)
    for (index, centre) in centres.enumerated() {
      let place = ((centre.x - one.x) * x + (centre.y - one.y) * y) / distance
      for (stripe, at) in stripes.enumerated() where abs(place - at) <= half {
        sums[stripe] += ones[index] + others[index]
      }
    }
    let ends = min(sums[0], sums[stripes.count - 1])
    let between = sums.dropFirst().dropLast().min() ?? 0
    return ends - between >= Self.leastZ * (ends + between + 1).squareRoot()
  }

  // MARK: Results

  private var clusters: [Cluster] {
    var found = parts.map { Cluster(middle: Point(x: $0.x, y: $0.y), deviation: $0.deviation) }
    let members = self.members()
    for (index, block) in blocks.enumerated() {
      let own = members.map { $0[index] }
      guard let most = own.indices.max(by: { own[$0] < own[$1] }),
        own[most] > counts[index] - own.reduce(0, +)
      else { continue }
      found[most].blocks.append(block)
      found[most].touches &+= taps.sum[block]
    }
    let size = Double(geometry.blockSize)
    let density = scattered * touches / places / (size * size)
    return found.filter {
      // Two deviations to each side.
      let area = 16 * $0.deviation.x * $0.deviation.y
      return $0.touches > 0 && Double($0.touches) >= Self.leastContrast * density * area
    }
  }

  /// Returns the number of sessions that touched one of these blocks. It is a lower bound if the
  /// counts of single sessions are not known.
  func sessions(_ blocks: [Int]) -> UInt64 {
    let own = Set(blocks)
    let known = (taps.sessionCounts ?? []).lazy.filter { own.contains($0.block) }.map(\.session)
    return max(UInt64(Set(known).count), blocks.map { taps.touchedSessions[$0] }.max() ?? 0)
  }

  /// The distance beyond two deviations in which drags that begin in a cluster are looked for, in
  /// mm, and the number of blocks that a touch may enter there on average and not be a drag.
  private static let (reachOfDrags, mostBlocksOfTap) = (8.0, 2.0)
  /// If this many times the touches that began in a cluster pass it, they began elsewhere.
  private static let leastPassing = 3.0

  /// Whether touches that begin in a cluster mostly move.
  /// - Parameter trail: the layer `trail` of the same sessions.
  func isDragged(_ cluster: Cluster, _ trail: SummedGrid, pointSize: Double) -> Bool {
    let reach = Self.reachOfDrags / pointSize
    func range(_ middle: Double, _ deviation: Double, _ count: Int) -> ClosedRange<Int> {
      func block(_ place: Double) -> Int {
        max(0, min(count - 1, Int(place / Double(geometry.blockSize))))
      }
      return block(middle - 1.5 * deviation - reach)...block(middle + 1.5 * deviation + reach)
    }
    let columns = range(cluster.middle.x, cluster.deviation.x, geometry.columns)
    let rows = range(cluster.middle.y, cluster.deviation.y, geometry.rows)
    func entered(_ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) -> Double {
      rows.reduce(0) { sum, row in
        columns.reduce(sum) { $0 + Double(trail.sum[row * geometry.columns + $1]) }
      }
    }
    // A touch that passes upwards or downwards enters each row.
    let passing = min(
      columns.map { entered($0...$0, rows) }.max() ?? 0,
      rows.map { entered(columns, $0...$0) }.max() ?? 0)
    let begun = Double(cluster.touches)
    return entered(columns, rows) > Self.mostBlocksOfTap * begun
      && passing < Self.leastPassing * begun
  }

  /// Returns the smallest rectangle with all these blocks; nil without blocks.
  func bounds(_ blocks: [Int]) -> Rectangle? {
    let areas = blocks.compactMap { geometry.area(ofBlock: $0) }
    guard let left = areas.map(\.x).min(), let top = areas.map(\.y).min(),
      let right = areas.map({ $0.x + $0.width }).max(),
      let bottom = areas.map({ $0.y + $0.height }).max()
    else { return nil }
    return Rectangle(x: left, y: top, width: right - left, height: bottom - top)
  }
}
