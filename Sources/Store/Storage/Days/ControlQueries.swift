public import TouchModel

/// Queries for controls.
extension Store {
  /// Returns the counts of controls, added up over sessions: one for each screen, display, geometry
  /// and set, in the order of their names.
  /// - Parameter query: its layer is ignored.
  /// - Throws: the errors of `grids`.
  public func controls(of query: GridQuery) throws(StoreError) -> [SummedControls] {
    try during("adding up controls") { () throws(StoreError) in
      // One snapshot: otherwise a day that is rolled up meanwhile would count twice or not at all.
      try database.transaction(.read) { () throws(StoreError) in
        let addUp = try summation(query)
        var sums = ScreenSums(interruption)
        sums.pass = .views
        try addUp(&sums)
        sums.pass = .controls
        try addUp(&sums)
        let wanted = sums.byKey.filter { key, _ in
          query.display.map { key.display.hasSameBytes(as: $0) } ?? true
        }
        return wanted.sorted { GridKey.isBefore($0.key, $1.key) }.flatMap { key, sum in
          sum.controls.sorted { $0.key < $1.key }.map { _, controls in
            SummedControls(
              counts: ControlCounts(key: key, set: controls.set, numbers: controls.numbers),
              sessions: controls.sessions, screenSessions: sum.sessions,
              screenTouches: sum.touches,
              masks: Rectangle.union([sum.masks], on: key.geometry))
          }
        }
      }
    }
  }
}
