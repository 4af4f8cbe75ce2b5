@testable import TouchModel

/// Gestures of one screen and device, told with all touches at hand: groups of fingers by their
/// connections, then double taps from left to right.
enum NaiveGestures {
  static func tell(
    _ contacts: [GestureContact]
  ) -> [(gesture: Gesture, fingers: [GestureContact])] {
    let sorted = contacts.sorted(by: GestureContact.isBefore)
    var groups = Array(sorted.indices)
    for _ in sorted {
      for one in sorted.indices {
        for other in sorted.indices where sorted[one].isTogether(with: sorted[other]) {
          let least = min(groups[one], groups[other])
          (groups[one], groups[other]) = (least, least)
        }
      }
      if isClosed(groups, sorted) { break }
    }
    let fingers = Set(groups).sorted().map { group in
      sorted.indices.filter { groups[$0] == group }.map { sorted[$0] }
    }
    var told: [(gesture: Gesture, fingers: [GestureContact])] = []
    var tap: GestureContact?
    for group in fingers {
      var alone: [ToldGesture] = []
      for finger in group { _ = ToldGesture.add(finger, to: &alone) }
      let gesture = alone[0].gesture
      let pause = tap.map { group[0].began - $0.ended } ?? 0
      let (x, y) =
        tap.map { (group[0].start.x - $0.start.x, group[0].start.y - $0.start.y) } ?? (0, 0)
      if gesture == .tap, tap != nil, (40_000...300_000).contains(pause),
        (x * x + y * y).squareRoot() <= 8
      {
        told[told.count - 1].gesture = .doubleTap
        told[told.count - 1].fingers += group
        tap = nil
      } else {
        told.append((gesture, group))
        tap = gesture == .tap ? group[0] : nil
      }
    }
    return told
  }

  private static func isClosed(_ groups: [Int], _ contacts: [GestureContact]) -> Bool {
    contacts.indices.allSatisfy { one in
      contacts.indices.allSatisfy {
        groups[one] == groups[$0] || !contacts[one].isTogether(with: contacts[$0])
      }
    }
  }
}
