internal import Glibc
internal import Text
package import TouchModel

/// The controls of two sides, compared. A control is the same on both sides if its screen, its
/// display and its name are; it may have moved or changed its size.
package struct ControlComparison: Sendable {
  package enum Measure: String, Sendable {
    /// Of the sessions that showed the screen, the share in which the control was hit.
    case used
    /// Of the touches meant for the control, the share that hit it.
    case hit
  }

  package struct Difference: Sendable {
    package let key: GridKey
    package let name: String
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

  package init(_ a: [SummedControls], _ b: [SummedControls], level: Double) {
    self.level = level
    let (one, other) = (Self.sides(a), Self.sides(b))
    var differences = one.flatMap { place, mine -> [Difference] in
      guard let theirs = other[place] else { return [] }
      let used = Self.test(mine.used, theirs.used).map {
        Difference(
          key: mine.key, name: place.name.text, measure: .used, a: mine.used, b: theirs.used, p: $0)
      }
      var hit: Difference?
      if let a = mine.hit, let b = theirs.hit, let p = Self.test(a, b) {
        hit = Difference(key: mine.key, name: place.name.text, measure: .hit, a: a, b: b, p: p)
      }
      return [used, hit].compactMap(\.self)
    }
    let adjusted = FalseDiscoveryRate.qValues(differences.map(\.p))
    for index in differences.indices { differences[index].q = adjusted[index] }
    self.differences = differences.sorted {
      ($0.p, $0.key.screen, $0.name) < ($1.p, $1.key.screen, $1.name)
    }
  }

  /// The differences that are more than chance.
  package var found: [Difference] { differences.filter { $0.q <= level } }

  private struct Place: Hashable {
    var screen: ExactName
    var display: ExactName
    var name: ExactName
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
        let place = Place(
          screen: ExactName(key.screen), display: ExactName(key.display),
          name: ExactName(result.control.name))
        guard summed.sessions > sides[place]?.sessions ?? 0 else { continue }
        let count = Double(summed.view.sessions)
        let used = HitEstimate(
          hits: Double(result.sums.sessions), near: count - Double(result.sums.sessions), around: 0,
          inside: 0, beside: 0)
        guard result.sums.sessions <= summed.view.sessions else { continue }
        sides[place] = Side(
          key: key, used: Share(used.value, in: used.interval(z: ControlResult.usualZ)),
          hit: result.hitShare, sessions: summed.sessions)
      }
    }
    return sides
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
  /// The result in lines for a terminal; empty if no control was compared.
  func lines(width: Int) -> [String] {
    guard !differences.isEmpty else { return [] }
    let found = found
    let compared = counted(Set(differences.map { "\($0.key.screen) \($0.name)" }).count, "control")
    guard !found.isEmpty else {
      return wrapped(
        "Controls: all differences in the \(compared) compared may be due to chance.", to: width)
    }
    let table = TextTable(
      [
        .init("SCREEN", canShrink: true), .init("CONTROL", canShrink: true), .init("WHAT"),
        .init("A", isNumber: true), .init("B", isNumber: true), .init("Q", isNumber: true),
      ],
      rows: found.prefix(ComparisonText.maximumRows).map { difference in
        [
          difference.key.screen.printable(), difference.name.printable(),
          difference.measure == .used ? "sessions that used it" : "touches that hit it",
          "\(Share.percent(difference.a.value)) %", "\(Share.percent(difference.b.value)) %",
          ComparisonText.text(q: difference.q),
        ]
      })
    let rest = found.count - ComparisonText.maximumRows
    return wrapped(
      "Controls, \(compared) compared: \(counted(found.count, "difference")). Up to "
        + "\(percent(level)) of these findings may be due to chance.", to: width)
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
          "control": .string(difference.name), "measure": .string(difference.measure.rawValue),
          "a": share(difference.a), "b": share(difference.b), "p": .real(difference.p),
          "q": .real(difference.q), "isDifferent": .bool(difference.q <= level),
        ]
      })
  }
}
