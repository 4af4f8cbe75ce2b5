import LinuxIO
import Testing

@Suite struct WakeUpTests {
  @Test func `Ringing wakes the poller until it is drained`() throws {
    var poller = try Poller()
    let wake = try WakeUp()
    try poller.add(wake.descriptor, token: 7)
    var ready: [Poller.Ready] = []
    try poller.wait(into: &ready, atMost: 0)
    #expect(ready.isEmpty)
    wake.ring()
    wake.ring()
    try poller.wait(into: &ready)
    #expect(ready.map(\.token) == [7])
    #expect(ready.allSatisfy { $0.isReadable && !$0.isWritable && !$0.isBroken })
    wake.drain()
    try poller.wait(into: &ready, atMost: 0)
    #expect(ready.isEmpty)
  }
}
