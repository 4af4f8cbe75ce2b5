public import TouchModel

/// Queries for controls.
extension Store {
  /// Returns the counts of controls, added up over sessions: one for each screen, display, geometry
  /// and set, in the order of their names.
  /// - Parameter query: its layer is ignored.
  /// - Throws: the errors of `grids`; `.overflow` if there are more controls than one answer holds.
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
        var all: [SummedControls] = []
        for (key, sum) in wanted.sorted(by: { GridKey.isBefore($0.key, $1.key) }) {
          for (id, controls) in sum.controls.sorted(by: { $0.key < $1.key }) {
            let counts = ControlCounts(key: key, set: controls.set, numbers: controls.numbers)
            guard counts.isPlausible else {
              throw database.damaged(
                "the counts of the controls number \(id) on screen \(key.screen) contradict each other"
              )
            }
            all.append(
              SummedControls(
                counts: counts, sessions: controls.sessions, screenSessions: sum.sessions,
                screenTouches: sum.touches,
                masks: Rectangle.union([sum.masks], on: key.geometry)))
          }
        }
        return all
      }
    }
  }
}
