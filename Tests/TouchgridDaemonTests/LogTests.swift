import Testing

@testable import TouchgridDaemon

@Suite struct LogTests {
  @Test func `A flood of one kind of message is limited, and the number of the others is logged`() {
    var budget: Log.Budget?
    let first = (0..<20).map { _ in Log.spend(&budget, now: 100) }
    #expect(first.filter(\.mayBeSaid).count == Log.Budget.count)
    let later = Log.spend(&budget, now: 100 + Log.Budget.seconds)
    #expect(later.mayBeSaid)
    #expect(later.heldBack == 20 - Log.Budget.count)
    #expect(Log.spend(&budget, now: 101 + Log.Budget.seconds).heldBack == 0)
  }
}
