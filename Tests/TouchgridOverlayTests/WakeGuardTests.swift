import Testing

@testable import TouchgridOverlay

/// When the touches on a dark screen are kept from the app.
@Suite struct WakeGuardTests {
  private func dark() -> WakeGuard {
    var wakeGuard = WakeGuard()
    wakeGuard.darken()
    return wakeGuard
  }

  @Test func `The first touch wakes the screen, and the app gets none until all fingers are up`() {
    var wakeGuard = dark()
    let first = wakeGuard.begin(1)
    let second = wakeGuard.begin(2)
    wakeGuard.end(1)
    #expect(wakeGuard.state == .waking)
    let third = wakeGuard.begin(1)
    #expect([first, second, third] == [true, false, false])
    wakeGuard.end(2)
    #expect(wakeGuard.state == .waking && wakeGuard.waitingTime == WakeGuard.longestTouch)
    wakeGuard.end(1)
    #expect(wakeGuard.state == .lit && wakeGuard.waitingTime == nil)
  }

  @Test func `A touch that comes shortly after its light is kept from the app`() {
    var wakeGuard = dark()
    let wasDark = wakeGuard.light()
    #expect(wasDark && wakeGuard.waitingTime == WakeGuard.longestDelay)
    let wakes = wakeGuard.begin(1)
    #expect(!wakes)
    wakeGuard.end(1)
    #expect(wakeGuard.state == .lit)
  }

  @Test func `A light without a touch, and a thing on the glass, do not keep the glass closed`() {
    var light = dark()
    _ = light.light()
    light.settle()
    var thing = dark()
    _ = thing.begin(1)
    thing.settle()
    #expect(light == WakeGuard() && thing == WakeGuard())
  }

  @Test func `Darkness that is reported late does not interrupt a touch`() {
    var wakeGuard = dark()
    _ = wakeGuard.begin(1)
    wakeGuard.darken()
    #expect(wakeGuard.state == .waking)
    wakeGuard.end(1)
    #expect(wakeGuard.state == .lit)
    // Without fingers, the screen is dark again.
    wakeGuard.darken()
    _ = wakeGuard.light()
    wakeGuard.darken()
    #expect(wakeGuard.state == .dark)
  }

  @Test func `A lit screen is woken by nothing`() {
    var wakeGuard = WakeGuard()
    let (wasDark, wakes) = (wakeGuard.light(), wakeGuard.begin(1))
    #expect(!wasDark && !wakes)
    wakeGuard.end(1)
    wakeGuard.end(2)
    #expect(wakeGuard == WakeGuard())
  }
}
