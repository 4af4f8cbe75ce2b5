import TestSupport
import Testing
import TouchModel

@testable import Storage

/// The masks that a screen had while it was shown. They tell where a count of zero does not mean
/// that nobody touched.
@Suite final class PastMaskTests: StoreSuite {
  private func rectangle(_ x: Double, _ y: Double = 0) throws -> Rectangle {
    try #require(Rectangle(x: x, y: y, width: 10.25, height: 1e-3))
  }

  private func write(_ id: Int64, began: Int64 = mayFirst, masks: [Rectangle]) throws {
    var record = try record(id, began: began)
    record.changedViews[0].masks = masks
    try store.write(record)
  }

  private func masks() throws -> [Rectangle] {
    try #require(try store.grids(screen: "menu", layer: .taps, in: .always).first).masks
  }

  @Test func `More masks than the limit become one mask of the whole display`() throws {
    try write(1, masks: (0..<400).map { try rectangle(0, Double($0)) })
    try write(2, masks: (0..<400).map { try rectangle(1, Double($0)) })
    let whole = try #require(Rectangle(x: 0, y: 0, width: 64, height: 48))
    #expect(try masks() == [whole])
    try store.rollUp(today: #require(Day("2024-05-02")))
    #expect(try masks() == [whole])
  }

  @Test(arguments: [
    "UPDATE mask SET list = '{}'", "UPDATE mask SET list = '['", "UPDATE mask SET list = '[1]'",
    "UPDATE mask SET list = '[{\"x\": 1, \"y\": 1, \"width\": 0, \"height\": 1}]'",
    "UPDATE mask SET list = '[{\"x\": 1e999, \"y\": 1, \"width\": 1, \"height\": 1}]'",
    "UPDATE mask SET list = '[{\"x\": 1, \"y\": 1, \"width\": 1}]'",
    "PRAGMA foreign_keys = OFF; DELETE FROM mask",
  ])
  func `Invalid lists of masks are reported as damage`(change: String) throws {
    try write(1, masks: [rectangle(0)])
    try write(2, began: mayFirst - dayLength, masks: [rectangle(0)])
    try store.rollUp(today: #require(Day("2024-05-01")))
    try store.database.execute(change)
    #expect(try failure { () throws(StoreError) in try store.session(1) }.code == .damaged)
    for day in ["2024-04-30", "2024-05-01"] {
      let day = try #require(Day(day))
      #expect(
        try failure { () throws(StoreError) in
          try store.grids(of: GridQuery(.day(day), layer: .taps))
        }.code == .damaged)
    }
  }
}
