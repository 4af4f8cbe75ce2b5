import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Makes counts of controls that could be real.
enum RandomControls {
  /// Sets of different sizes. The largest does not fit into a checkpoint.
  static func sets() throws -> [ControlSet] {
    let names = [["pay"], ["pay", "späti/支払い", "menu"], (0..<130).map { "control number \($0)" }]
    return try names.enumerated().map { number, names in
      let controls = try names.enumerated().map { place, name in
        Control(
          name: name,
          rectangle: try #require(
            Rectangle(x: Double(8 * place), y: 0.5, width: 6.25, height: Double(number + 1))),
          countsRage: place != 1)
      }
      return try #require(ControlSet(controls, pointSize: 0.25 + Double(number) / 100))
    }
  }

  /// Adds some touches to random controls of a set.
  /// - Parameter former: the counts before; nil for none.
  static func adding(
    _ touches: UInt64, to former: ControlCounts?, key: GridKey, set: ControlSet,
    _ dice: inout SeededGenerator
  ) -> ControlCounts {
    let count = ControlSums.numberCount
    var numbers =
      former?.numbers ?? Array(repeating: 0, count: set.controls.count * count)
    for _ in 0..<min(touches, 40) {
      let control = Int.random(in: 0..<set.controls.count, using: &dice)
      var sums = ControlSums(numbers[(control * count)..<((control + 1) * count)])
      let (x, y) = (
        Int64.random(in: -900...900, using: &dice), Int64.random(in: -9...9, using: &dice)
      )
      switch dice.next() % 4 {
      case 0:
        let ring = Int.random(in: 0..<ControlSums.rings.count, using: &dice)
        sums.beside[Int.random(in: 0..<4, using: &dice)][ring] += 1
        if ring < 4 {
          sums.nearMisses.add(x, y)
          if dice.next() % 2 == 0 { sums.retried += 1 }
        }
      default:
        sums.hits.add(x, y)
        sums.sessions = max(1, sums.sessions)
        if dice.next() % 2 == 0 {
          sums.responses[Int.random(in: 0..<ControlSums.responseBins, using: &dice)] += 1
        }
        if dice.next() % 8 == 0 {
          sums.rageRuns += 1
          sums.rageTaps += 3
          sums.rageSessions = max(1, sums.rageSessions)
        }
      }
      numbers.replaceSubrange((control * count)..<((control + 1) * count), with: sums.numbers)
    }
    return ControlCounts(key: key, set: set, numbers: numbers)
  }
}
