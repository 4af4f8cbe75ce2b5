import Storage
import TestSupport
import Testing
import TouchModel

extension DeviceGuestTests {
  @Suite struct PlugStorm {
    @Test func `While 200 panels come and go, no touch of another panel is lost`() throws {
      let test = try GuestCase("storm")
      try test.start()
      var steady = Gestures(on: .panel(x: 0...1023, y: 0...767, name: "Steady"))
      // A tap every 100 ms, each at a place of its own.
      for tap in 0..<900 {
        steady.wait(60_000)
        steady.tap(0, at: (Int32(tap % 60) * 16 + 4, Int32(tap / 60) * 16 + 4), duration: 30_000)
      }
      var visitor = Gestures(on: .panel(x: 0...1023, y: 0...767, name: "Visitor"))
      visitor.down(0, 1000, 700)
      visitor.frame()
      let steadyFile = try test.write(steady.recording, as: "steady.evemu")
      let visitorFile = try test.write(visitor.recording, as: "visitor.evemu")
      try test.guest.run(
        """
        touchgrid play \(steadyFile) --start-after 1 & steady=$!
        for i in 1 2 3 4; do
          touchgrid play \(visitorFile) --repeat 50 --start-after 0.5 2>/dev/null & visitors="$visitors $!"
        done
        for pid in $visitors; do wait $pid || exit 1; done
        kill -0 $steady || { echo 'the visitors outlasted the steady panel' >&2; exit 1; }
        wait $steady
        """, timeout: 900)
      try test.waitForLog("\"Steady\" is no longer read")
      let log = try test.log.split(separator: "\n")
      let added = log.count { $0.contains("\"Visitor\" is read") }
      let gone = log.count { $0.contains("\"Visitor\" is no longer read") }
      let store = try test.stop()

      // A device that is unplugged immediately may be gone before the daemon opens it.
      #expect((150...200).contains(added))
      #expect(gone == added)
      let taps = try store.counts(.taps).filter { $0.key.row < 15 && $0.key.column < 60 }
      #expect(taps.count == 900)
      #expect(taps.values.allSatisfy { $0 == 1 })
      let totals = try store.onlySession().record.totals
      // The panel "Visitor" may be unplugged before the daemon has read its touch.
      #expect((900...1100).contains(totals.begun))
      #expect(totals.drops == 0)
      #expect(totals.isBalanced)
    }
  }
}
