internal import Glibc
internal import Text
package import TouchModel

/// The controls and gestures of two sides, compared. A control is the same on both sides if its
/// screen, its display and its name are; it may have moved or changed its size.
package struct ControlComparison: Sendable {
  package enum Measure: Hashable, Sendable {
    /// Of the sessions that showed the screen, the share in which the control was hit.
    case used
    /// Of the touches meant for the control, the share that hit it.
    case hit
    /// Of the sessions that showed the screen, the share in which the gesture was made on the
    /// screen, or began on the control.
    case made(Gesture)

    var words: String {
      switch self {
      case .used: "sessions that used it"
      case .hit: "touches that hit it"
      case .made(let gesture): "sessions with \(gesture.words)"
      }
    }

    fileprivate var json: JSONValue {
      switch self {
      case .used: "used"
      case .hit: "hit"
      case .made(let gesture): .string(gesture.rawValue)
      }
    }
  }

  package struct Difference: Sendable {
    package let key: GridKey
    /// The name of the control; nil for the whole screen.
    package let name: String?
    package let measure: Measure
    package let a: Share
    package let b: Share
    /// The probability that chance alone causes a difference this large, 0...1.
    package let p: Double
    /// `p`, adjusted for the number of comparisons.
    package fileprivate(set) var q = 1.0
  }

  /// All comparisons, the least probable by chance first.
  package let differences: [Difference]
  package let level: Double

  /// The smallest number of sessions on each side for a comparison.
  private static let fewest: UInt64 = 20

  package init(
    _ a: [SummedControls], _ b: [SummedControls],
    gestures: ([SummedGestures], [SummedGestures]) = ([], []), level: Double
  ) {
    self.level = level
    let (one, other) = (Self.sides(a), Self.sides(b))
    var differences = one.flatMap { place, mine -> [Difference] in
      guard let theirs = other[place] else { return [] }
      let used = Self.test(mine.used, theirs.used).map {
        Difference(
          key: mine.key, name: place.name?.text, measure: .used, a: mine.used, b: theirs.used,
          p: $0)
      }
      var hit: Difference?
      if let a = mine.hit, let b = theirs.hit, let p = Self.test(a, b) {
        hit = Difference(key: mine.key, name: place.name?.text, measure: .hit, a: a, b: b, p: p)
      }
      return [used, hit].compactMap(\.self)
    }
    differences += Self.gestures(gestures.0, gestures.1)
    let adjusted = FalseDiscoveryRate.qValues(differences.map(\.p))
    for index in differences.indices { differences[index].q = adjusted[index] }
    self.differences = differences.sorted {
      ($0.p, $0.key.screen, $0.name ?? "", $0.measure.words)
        < ($1.p, $1.key.screen, $1.name ?? "", $1.measure.words)
    }
  }

  /// The differences that are more than chance.
  package var found: [Difference] { differences.filter { $0.q <= level } }

  private struct Place: Hashable {
    var screen: ExactName
    var display: ExactName
    /// The control; nil for the whole screen.
    var name: ExactName?

    init(_ key: GridKey, _ name: String?) {
      (screen, display) = (ExactName(key.screen), ExactName(key.display))
      self.name = name.map { ExactName($0) }
    }
  }

  private struct Side {
    var key: GridKey
    var used: Share
    var hit: Share?
    var sessions: UInt64
  }

  /// The controls of one side. If a control has several layouts, the one that most sessions touched
  /// is used.
  private static func sides(_ all: [SummedControls]) -> [Place: Side] {
    var sides: [Place: Side] = [:]
    for summed in all where summed.view.sessions >= fewest {
      let key = summed.counts.key
      for result in ScreenControlResults(summed).results where !result.isCovered {
        let place = Place(key, result.control.name)
        guard summed.sessions > sides[place]?.sessions ?? 0 else { continue }
        guard result.sums.sessions <= summed.view.sessions else { continue }
        sides[place] = Side(
          key: key,
          used: share(UInt64(clamping: result.sums.sessions), of: summed.view.sessions),
          hit: result.hitShare, sessions: summed.sessions)
      }
    }
    return sides
  }

  private static func share(_ sessions: UInt64, of all: UInt64) -> Share {
    let made = Double(min(sessions, all))
    let estimate = HitEstimate(
      hits: made, near: Double(all) - made, around: 0, inside: 0, beside: 0)
    return Share(estimate.value, in: estimate.interval(z: ControlResult.usualZ))
  }

  /// The gestures of screens that both sides showed, without those that few sessions made on both
  /// together. Taps are left out: maps and controls show them.
  private static func gestures(_ a: [SummedGestures], _ b: [SummedGestures]) -> [Difference] {
    let (one, other) = (byPlace(a), byPlace(b))
    return Set(one.keys).union(other.keys).flatMap { place -> [Difference] in
      var screen = place
      screen.name = nil
      guard let mine = one[screen], let theirs = other[screen],
        min(mine.view.sessions, theirs.view.sessions) >= fewest
      else { return [] }
      return Gesture.allCases.filter { $0 != .tap }.compactMap { gesture in
        let (made, also) = (
          one[place]?.sessions(gesture) ?? 0, other[place]?.sessions(gesture) ?? 0
        )
        guard made &+ also >= Comparison.minimumTouchedSessions else { return nil }
        let shares = (share(made, of: mine.view.sessions), share(also, of: theirs.view.sessions))
        return test(shares.0, shares.1).map {
          Difference(
            key: mine.key, name: place.name?.text, measure: .made(gesture), a: shares.0,
            b: shares.1, p: $0)
        }
      }
    }
  }

  /// If a screen had several geometries, the one that most sessions showed is used.
  private static func byPlace(_ all: [SummedGestures]) -> [Place: SummedGestures] {
    var screens: [Place: SummedGestures] = [:]
    for summed in all where summed.control == nil {
      let place = Place(summed.key, nil)
      if summed.view.sessions > screens[place]?.view.sessions ?? 0 { screens[place] = summed }
    }
    var places = screens
    for summed in all where summed.control != nil {
      guard screens[Place(summed.key, nil)]?.key == summed.key else { continue }
      places[Place(summed.key, summed.control)] = summed
    }
    return places
  }

  /// The probability that chance alone causes the difference of two shares. Uses the standard
  /// errors on the sides of the intervals that face each other.
  private static func test(_ a: Share, _ b: Share) -> Double? {
    let (low, high) = a.value < b.value ? (a, b) : (b, a)
    let (up, down) = (low.high - low.value, high.value - high.low)
    let error = (up * up + down * down).squareRoot() / ControlResult.usualZ
    guard error > 0 else { return nil }
    return erfc((high.value - low.value) / error / 2.0.squareRoot())
  }
}

extension ControlComparison {
  /// The result in lines for a terminal; empty if nothing was compared.
  func lines(width: Int) -> [String] {
    guard !differences.isEmpty else { return [] }
    let found = found
    guard !found.isEmpty else {
      return wrapped(
        "Controls and gestures: all differences may be due to chance "
          + "(\(counted(differences.count, "comparison"))).", to: width)
    }
    let table = TextTable(
      [
        .init("SCREEN", canShrink: true), .init("CONTROL", canShrink: true), .init("WHAT"),
        .init("A", isNumber: true), .init("B", isNumber: true), .init("Q", isNumber: true),
      ],
      rows: found.prefix(ComparisonText.maximumRows).map { difference in
        [
          difference.key.screen.printable(), difference.name?.printable() ?? "-",
          difference.measure.words,
          "\(Share.percent(difference.a.value)) %", "\(Share.percent(difference.b.value)) %",
          ComparisonText.text(q: difference.q),
        ]
      })
    let rest = found.count - ComparisonText.maximumRows
    return wrapped(
      "Controls and gestures: \(counted(found.count, "difference")) in "
        + "\(counted(differences.count, "comparison")). Up to \(percent(level)) of these findings "
        + "may be due to chance.", to: width)
      + table.lines(width: width) + (rest > 0 ? ["and \(rest) more; --json has all"] : [])
  }

  var json: JSONValue {
    .array(
      differences.map { difference in
        func share(_ share: Share) -> JSONValue {
          ["value": .real(share.value), "low": .real(share.low), "high": .real(share.high)]
        }
        return [
          "screen": .string(difference.key.screen), "display": .string(difference.key.display),
          "control": difference.name.map { .string($0) } ?? .null,
          "measure": difference.measure.json, "what": .string(difference.measure.words),
          "a": share(difference.a), "b": share(difference.b), "p": .real(difference.p),
          "q": .real(difference.q), "isDifferent": .bool(difference.q <= level),
        ]
      })
  }
}
