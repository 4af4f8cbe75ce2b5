import Storage
import TestSupport
import Testing
import TouchModel

extension DeviceGuestTests {
  @Suite struct Loss {
    @Test
    func `Events that the kernel drops are counted as a drop, and the totals add up`() throws {
      let test = try GuestCase("dropped")
      try test.start()
      var gestures = Gestures(on: .panel(x: 0...1023, y: 0...767), beat: 2_000)
      // Unseen by the stopped daemon, the finger in slot 2 lifts, another one touches down in this
      // slot, and one more in slot 5. The fingers in slots 0 and 1 stay.
      gestures.down(0, 100, 100)
      gestures.down(1, 200, 100)
      gestures.down(2, 300, 100)
      gestures.frame()
      gestures.wait(4_000_000)
      gestures.up(2)
      gestures.frame()
      for step in 0..<2000 {
        gestures.move(0, 100 + Int32(step % 50), 100)
        gestures.move(1, 200 + Int32(step % 50), 100)
        gestures.frame()
      }
      gestures.down(2, 300, 300)
      gestures.down(5, 500, 300)
      gestures.frame()
      gestures.wait(8_000_000)
      gestures.upAll()
      gestures.frame()
      let file = try test.write(gestures.recording, as: "recording.evemu")
      try test.guest.run(
        """
        \(GuestCase.untilFinger(playing: file))
        sleep 1
        kill -STOP $(cat /run/case/pid); sleep 11; kill -CONT $(cat /run/case/pid)
        wait $play
        """)
      try test.waitForLog("SYN_DROPPED")
      let store = try test.stop()
      let totals = try store.onlySession().record.totals
      #expect(totals.drops == 1)
      #expect(totals.begun == 5)
      #expect(totals.counted == 5)
      // The finger that lifted unseen is cancelled; the daemon sees all others end.
      #expect(totals.cancelled == 1)
      #expect(totals.isBalanced)
      let taps = try store.counts(.taps)
      #expect(taps[Block(column: 300 / 16, row: 300 / 16)] == 1)
      #expect(taps[Block(column: 500 / 16, row: 300 / 16)] == 1)
    }

    @Test func `Fingers that lift while another program grabs the panel do not stay down`() throws {
      let test = try GuestCase("grabbed")
      try test.start()
      var gestures = Gestures(on: .panel(x: 0...1023, y: 0...767))
      for finger in 0..<3 { gestures.down(finger, Int32(finger) * 100 + 8, 8) }
      gestures.frame()
      gestures.wait(4_000_000)
      gestures.upAll()
      gestures.frame()
      gestures.wait(10_000_000)
      gestures.tap(at: (900, 700))
      let file = try test.write(gestures.recording, as: "recording.evemu")
      try test.guest.run(
        """
        \(GuestCase.untilFinger(playing: file))
        sleep 1
        timeout 7 evtest --grab $(cat /run/case/node) >/dev/null 2>&1
        wait $play
        """)
      let store = try test.stop()
      let totals = try store.onlySession().record.totals
      #expect(totals.begun == 4)
      #expect(totals.cancelled == 3)
      #expect(totals.counted == 4)
      #expect(totals.isBalanced)
      #expect(try store.counts(.taps)[Block(column: 900 / 16, row: 700 / 16)] == 1)
      // The daemon cancelled the touches when it noticed that no more events came, long before the
      // tap. If it had waited for the tap, three fingers would have dwelled longer.
      #expect(try store.counts(.dwell).values.reduce(0, +) < 3 * 9_000)
    }
  }
}
