import Storage
import TestSupport
import Testing
import TouchModel

/// A store with known differences between 24 sessions of build 1.3, on the first two days of
/// November 2026, and 20 sessions of build 1.4 a fortnight later.
enum ComparedStore {
  /// Returns the counts of session `index` of 44, of which the first 24 have build 1.3.
  static func counts(_ index: Int) -> [Block: UInt64] {
    let isNew = index >= 24
    return [
      // More touches in B.
      Block(column: 2, row: 1): UInt64(isNew ? 1 + index % 3 : index % 2),
      // No touches in B.
      Block(column: 7, row: 4): UInt64(isNew ? 0 : index % 3),
      // The same in both.
      Block(column: 4, row: 2): UInt64(index * 7 % 3),
      // Touched in three sessions only.
      Block(column: 0, row: 5): index.isMultiple(of: 16) ? 2 : 0,
    ].filter { $0.value > 0 }
  }

  static func make(in folder: TemporaryFolder) throws -> String {
    try SampleStore.copy("compared", in: folder) { try SampleStore.make(records(), in: $0) }
  }

  private static func records() throws -> [SessionRecord] {
    let menu = SampleStore.key("menu", try geometry())
    let pay = SampleStore.key("checkout/pay", try geometry())
    let turned = SampleStore.key("menu", try geometry(96, 160))
    return (0..<44).map { index in
      let isNew = index >= 24
      var counts = [menu: counts(index)]
      if index == 0 { counts[pay] = [Block(column: 1, row: 1): 1] }
      if index == 43 { counts[turned] = [Block(column: 1, row: 1): 1] }
      // SampleStore begins on November 21. These sessions begin one hour apart: those with build
      // 1.3 from the 1st to the early hours of the 2nd, those with build 1.4 on the 15th.
      let days = isNew ? -6 : -20
      return SampleStore.session(
        Int64(index + 1), after: Int64(days * 1440 + (index % 24 - 10) * 60),
        tags: [
          "build": isNew ? "1.4" : "1.3", "site": index.isMultiple(of: 2) ? "north" : "south",
        ],
        counts)
    }
  }
}
