internal import TouchModel

/// Checks the invariants of a stream of touches.
struct TouchLedger {
  private var down: [TouchID: Int] = [:]
  private var last = TouchID(0)

  mutating func take(_ updates: [TouchUpdate], slots: Int) {
    for update in updates {
      must((0..<slots).contains(update.slot), "a touch is in slot \(update.slot) of \(slots)")
      must(
        (update.phase == .cancelled) == (update.cancellation != nil),
        "a cancellation goes with the phase")
      switch update.phase {
      case .began:
        must(update.touch > last, "touch \(update.touch) is no new one")
        must(!down.values.contains(update.slot), "slot \(update.slot) has two touches")
        last = update.touch
        down[update.touch] = update.slot
      case .moved, .stationary:
        must(down[update.touch] == update.slot, "touch \(update.touch) is not down there")
      case .ended, .cancelled:
        must(
          down.removeValue(forKey: update.touch) == update.slot,
          "touch \(update.touch) ends, and is not down there")
      }
    }
  }

  var count: Int { down.count }
}

/// Checks the invariants of a session that is to be written.
func check(_ record: SessionRecord) {
  must(record.totals.isBalanced, "the books of session \(record.id): \(record.totals)")
  for grid in record.changedGrids {
    must(
      grid.counters.count == grid.key.geometry.columns * grid.key.geometry.rows,
      "a grid has as many blocks as its geometry")
  }
  let views = Dictionary(
    record.changedViews.map { ($0.key, $0.touches) }, uniquingKeysWith: { $1 })
  for grid in record.changedGrids where grid.layer == .taps {
    must(
      views[grid.key].map { $0 == grid.counters.sum } ?? false, "taps are the touches of their view"
    )
  }
}
