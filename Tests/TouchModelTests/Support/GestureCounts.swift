@testable import TouchModel

/// How often each gesture was made; those that were not are missing.
typealias GestureTimes = [Gesture: Int64]

extension SessionRecord {
  /// The gestures of all screens that the record has.
  var gestures: GestureTimes {
    gesturePlaces.filter { $0.control == nil }.reduce(into: [:]) {
      $0.merge($1.counts.gestures, uniquingKeysWith: +)
    }
  }

  /// The gestures that began on a control.
  func gestures(on control: String) -> GestureTimes {
    gesturePlaces.first { $0.control == control }?.counts.gestures ?? [:]
  }

  var gesturePlaces: [(control: String?, counts: SubjectCounts)] {
    changedCounts.filter { $0.subject.kind == GestureKind.name }.map {
      (GestureKind.place(of: $0.subject.key)?.control, $0)
    }
  }
}

extension SubjectCounts {
  var gestures: GestureTimes { numbers(.times) }

  func numbers(_ number: GestureNumber) -> GestureTimes {
    let all = Gesture.allCases.map { ($0, numbers[GestureKind.index(of: $0, number)]) }
    return Dictionary(uniqueKeysWithValues: all.filter { $0.1 != 0 })
  }
}
