import Storage
import TestSupport
import Testing
import TouchModel

extension DeviceGuestTests {
  @Suite struct Plugging {
    @Test func `Ten fingers down when the panel is unplugged are cancelled and counted`() throws {
      let test = try GuestCase("unplug")
      try test.start()
      var gestures = Gestures(on: .panel(x: 0...1023, y: 0...767))
      for finger in 0..<10 { gestures.down(finger, Int32(finger) * 100 + 8, 400) }
      gestures.frame()
      for finger in 0..<10 { gestures.move(finger, Int32(finger) * 100 + 8, 420) }
      gestures.frame()
      try test.play(gestures.recording)
      try test.waitForLog("is no longer read")
      let store = try test.stop()

      let totals = try store.onlySession().record.totals
      #expect(totals.begun == 10)
      #expect(totals.counted == 10)
      #expect(totals.cancelled == 10)
      #expect(totals.isBalanced)
      let expected = (0..<10).map { Block(column: ($0 * 100 + 8) / 16, row: 25) }
      #expect(try store.counts(.taps) == Dictionary(uniqueKeysWithValues: expected.map { ($0, 1) }))
      let trail = try store.counts(.trail)
      #expect(expected.allSatisfy { trail[Block(column: $0.column, row: 26)] == 1 })
    }

    @Test func `Fingers down before the daemon starts begin with its start`() throws {
      let test = try GuestCase("before")
      var gestures = Gestures(on: .panel(x: 0...1023, y: 0...767))
      gestures.down(0, 100, 100)
      gestures.down(3, 500, 300)
      gestures.frame()
      gestures.wait(12_000_000)
      gestures.up(0)
      gestures.up(3)
      gestures.frame()
      let file = try test.write(gestures.recording, as: "recording.evemu")
      // evtest ends with 10 if a finger is down.
      try test.start(
        after: """
          touchgrid play \(file) >/dev/null 2>&1 &
          until (for node in /dev/input/event*; do
            evtest --query $node EV_KEY BTN_TOUCH; [ $? -ne 10 ] || exit 0; done; exit 1)
          do sleep 0.1; done
          """)
      try test.waitForLog("is no longer read")
      let totals = try test.stop().onlySession().record.totals
      #expect(totals.begun == 2)
      #expect(totals.preexisting == 2)
      #expect(totals.counted == 2)
      #expect(totals.cancelled == 0)
      #expect(totals.isBalanced)
    }

    @Test func `After lost messages of udev, the list of devices is correct again`() throws {
      let test = try GuestCase("overflow")
      try test.start()
      var gone = Gestures(on: .panel(name: "Gone meanwhile"))
      gone.tap(at: (100, 100))
      let goneFile = try test.write(gone.recording, as: "gone.evemu")
      var late = Gestures(on: .panel(x: 0...1023, y: 0...767, name: "Come meanwhile"))
      late.tap(at: (20, 20))
      late.wait(15_000_000)
      late.tap(at: (40, 40))
      let lateFile = try test.write(late.recording, as: "late.evemu")
      try test.guest.run(
        """
        touchgrid play \(goneFile) --hold 3 & gone=$!
        for i in $(seq 100); do grep -q '"Gone meanwhile" is read' /run/case/log && break; sleep 0.5; done
        kill -STOP $(cat /run/case/pid)
        wait $gone
        # A machine may have no input device of its own.
        python3 -c 'import evdev, time; keyboard = evdev.UInput(); time.sleep(900)' & keyboard=$!
        for i in $(seq 100); do ls /sys/class/input/event* >/dev/null 2>&1 && break; sleep 0.5; done
        # The daemon's socket takes less than 300 of them.
        for i in $(seq $((800 / $(ls -d /sys/class/input/*/uevent | wc -l)))); do
          for device in /sys/class/input/*/uevent; do echo change >$device; done
        done
        udevadm settle
        kill $keyboard
        (touchgrid play \(lateFile) >/dev/null 2>&1 &)
        sleep 4
        kill -CONT $(cat /run/case/pid)
        """, timeout: 900)
      try test.waitForLog("messages of udev were lost")
      try test.waitForLog("\"Gone meanwhile\" is no longer read")
      try test.waitForLog("\"Come meanwhile\" is read")
      try test.waitForLog("\"Come meanwhile\" is no longer read", seconds: 40)
      let store = try test.stop()
      #expect(try store.counts(.taps)[Block(column: 2, row: 2)] == 1)
    }

    @Test func `A node that becomes readable later is read from then on, with udev's calibration`()
      throws
    {
      let test = try GuestCase("permissions")
      try test.guest.run(
        """
        mkdir -p /run/udev/rules.d
        printf '%s\\n' 'SUBSYSTEM=="input", ATTRS{name}=="Locked", MODE="0600", \
          ENV{LIBINPUT_CALIBRATION_MATRIX}="0 -1 1 1 0 0"' >/run/udev/rules.d/99-locked.rules
        udevadm control --reload
        """)
      try test.start()
      var gestures = Gestures(on: .panel(x: 0...1023, y: 0...767, name: "Locked"))
      gestures.tap(at: (20, 20))
      let file = try test.write(gestures.recording, as: "recording.evemu")
      try test.guest.run(
        """
        touchgrid play \(file) --start-after 5 --node-file /run/case/node --hold 1 & play=$!
        for i in $(seq 100); do grep -q 'no permission' /run/case/log && break; sleep 0.5; done
        grep -q 'no permission' /run/case/log || { cat /run/case/log >&2; exit 1; }
        chmod 0660 $(cat /run/case/node)
        wait $play; status=$?
        rm /run/udev/rules.d/99-locked.rules; udevadm control --reload
        exit $status
        """)
      let store = try test.stop()
      // The panel is turned by 90 degrees, so its top left is at the top right.
      #expect(try store.counts(.taps) == [Block(column: 62, row: 0): 1])
      let grid = try store.grids(screen: nil, layer: .taps, in: .always).first
      #expect(grid?.placements.first?.matrixSource == .udev)
    }
  }
}
