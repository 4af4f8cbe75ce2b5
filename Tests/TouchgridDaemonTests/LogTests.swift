import Testing

@testable import TouchgridDaemon

@Suite struct LogTests {
  @Test("a flood of one kind of message is cut, and what was held back is told later")
  func budget() {
    var budget: Log.Budget?
    let first = (0..<20).map { _ in Log.spend(&budget, now: 100) }
    #expect(first.filter(\.mayBeSaid).count == Log.Budget.count)
    let later = Log.spend(&budget, now: 100 + Log.Budget.seconds)
    #expect(later.mayBeSaid)
    #expect(later.heldBack == 20 - Log.Budget.count)
    #expect(Log.spend(&budget, now: 101 + Log.Budget.seconds).heldBack == 0)
  }
}
