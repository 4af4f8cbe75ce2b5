import TestSupport
import Testing

@testable import TouchgridFollow

@Suite struct SayingsTests {
  private func change(
    _ name: String, _ time: Int64, masked: Bool = false, on display: String? = nil
  )
    -> ShownScreens.Change
  {
    .init(display: display, name: name, isMasked: masked, time: time)
  }

  private func all(_ updates: inout PendingUpdates) -> [ShownScreens.Change] {
    var changes: [ShownScreens.Change] = []
    while let change = updates.next() { changes.append(change) }
    return changes
  }

  @Test func `Updates up to the limit are sent in order`() {
    var updates = PendingUpdates()
    for number in 0..<PendingUpdates.limit { updates.add(change("\(number)", Int64(number))) }
    #expect(all(&updates).map(\.name) == (0..<PendingUpdates.limit).map(String.init))
  }

  @Test func `Beyond the limit updates are dropped, but never the last and never masked ones`() {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<50 {
      var updates = PendingUpdates()
      var told: [ShownScreens.Change] = []
      for time in 1...500 {
        let next = change(
          "\(time)", Int64(time), masked: Int.random(in: 0..<6, using: &random) == 0,
          on: ["A", "B", nil][Int.random(in: 0..<3, using: &random)])
        updates.add(next)
        told.append(next)
      }
      let left = all(&updates)
      #expect(left.count { !$0.isMasked } <= PendingUpdates.limit)
      #expect(left.filter(\.isMasked) == told.filter(\.isMasked))
      for display in ["A", "B", nil] {
        #expect(left.last { $0.display == display } == told.last { $0.display == display })
      }
    }
  }

  @Test func `A name that was too late is sent again unless there is a newer one`() {
    var updates = PendingUpdates()
    updates.addLate(change("late", 1), earliest: 5)
    #expect(all(&updates).map(\.name) == ["late"])
    updates.add(change("new", 2, on: "A"))
    updates.addLate(change("late", 1, on: "A"), earliest: 5)
    updates.addLate(change("other", 1, on: "B"), earliest: 5)
    let told = all(&updates)
    #expect(told.map(\.name) == ["other", "new"])
    #expect(told.map(\.time) == [0, 0])
    updates.add(change("new", 2))
    updates.addLate(change("late", 1, on: "A"), earliest: 5)
    #expect(all(&updates).map(\.name) == ["new"])
  }

  @Test func `A masked name that was too late is sent with the earliest possible time`() {
    var updates = PendingUpdates()
    updates.add(change("new", 7))
    updates.addLate(change("pay", 1, masked: true), earliest: 5)
    let told = all(&updates)
    #expect(told.map(\.name) == ["pay", "new"])
    #expect(told.map(\.time) == [5, 7])
  }
}
