/// A value for each screen on a geometry. A value never changes its place.
struct ScreenList<Value: Sendable>: Sendable {
  private(set) var keys: [GridKey] = []
  /// The values, in the order of `keys`.
  var values: [Value] = []
  private var places: [GridKey: Int] = [:]
  /// The place that was found last. Most touches follow another one of their screen, and comparing
  /// a key takes less than hashing it.
  private var last = 0

  /// The place of a screen's value; nil if it has none.
  func place(of key: GridKey) -> Int? {
    last < keys.count && keys[last] == key ? last : places[key]
  }

  /// Returns the place of a screen's value.
  /// - Parameter value: appended if the screen has none.
  mutating func place(of key: GridKey, orNew value: @autoclosure () -> Value) -> Int {
    if let place = place(of: key) {
      last = place
    } else {
      last = keys.count
      places[key] = last
      keys.append(key)
      values.append(value())
    }
    return last
  }

  /// The values with their screens, in the order of keys.
  var sorted: [(key: GridKey, value: Value)] {
    keys.indices.sorted { GridKey.isBefore(keys[$0], keys[$1]) }.map { (keys[$0], values[$0]) }
  }
}
