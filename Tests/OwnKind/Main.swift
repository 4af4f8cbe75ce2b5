import Foundation
import TouchModel
import TouchgridCommands
import TouchgridDaemon

/// `touchgridd` and `touchgrid`, by the name with which it is called, with one kind of counts more.
/// `Tests/Fleet/test_own_kind.py` leads that kind through its whole life.
@main enum Main {
  static func main() {
    CountKinds.add([OctantKind()])
    if CommandLine.arguments.first?.hasSuffix("touchgridd") == true {
      DaemonProgram.main()
    } else {
      TouchgridProgram.main()
    }
  }
}

/// Touches by the eighth of the display, four in each of two rows. A subject is a display.
struct OctantKind: CountKind {
  let name = "octants"
  let isOfFleets = true

  /// A unit is an eighth of the display.
  var disclosure: CountDisclosure {
    .units { key in
      DisclosedCounts(key: key, units: (0..<8).map { .init(parts: [.init(places: [$0])]) })
    }
  }

  func makeTally() -> (any CountTally)? { OctantTally() }

  func shape(of key: String) -> CountShape? {
    let names = (try? JSONSerialization.jsonObject(with: Data(key.utf8))) as? [String]
    guard let names, names.count == 1, Self.key(names[0]) == key else { return nil }
    return CountShape(count: 8) { numbers, sessions in
      numbers.allSatisfy { $0 >= 0 } && numbers.reduce(0, +) >= sessions
    }
  }

  static func key(_ display: String) -> String { "[\"\(display)\"]" }
}

private struct OctantTally: CountTally {
  private struct Effect: Sendable {
    let display: String
    let octant: Int
  }

  private var displays: [String: [Int64]] = [:]
  private var changed: Set<String> = []

  mutating func add(_ touch: CountedTouch) -> (any Sendable)? {
    let (display, size) = (touch.key.display, touch.key.geometry)
    let column = min(3, Int(4 * touch.point.x / size.width))
    let effect = Effect(
      display: display, octant: column + (2 * touch.point.y < size.height ? 0 : 4))
    add(1, effect)
    return effect
  }

  mutating func moveOutGhost(_ effect: any Sendable) {
    if let effect = effect as? Effect { add(-1, effect) }
  }

  private mutating func add(_ number: Int64, _ effect: Effect) {
    displays[effect.display, default: Array(repeating: 0, count: 8)][effect.octant] += number
    changed.insert(effect.display)
  }

  func counts(all: Bool) -> [SubjectCounts] {
    displays.filter { all || changed.contains($0.key) }.map { display, numbers in
      SubjectCounts(CountSubject(kind: "octants", key: OctantKind.key(display)), numbers)
    }
  }

  mutating func clearChanges() { changed = [] }
}
