@testable import TouchModel

/// How often each gesture was made; those that were not are missing.
typealias GestureTimes = [Gesture: Int64]

extension SessionRecord {
  /// The gestures of all screens that the record has.
  var gestures: GestureTimes {
    changedCounts.filter { $0.subject.kind == GestureKind.name }.reduce(into: [:]) {
      $0.merge($1.gestures, uniquingKeysWith: +)
    }
  }
}

extension SubjectCounts {
  var gestures: GestureTimes {
    let times = Gesture.allCases.map { ($0, numbers[GestureKind.place(of: $0)]) }
    return Dictionary(uniqueKeysWithValues: times.filter { $0.1 != 0 })
  }
}
