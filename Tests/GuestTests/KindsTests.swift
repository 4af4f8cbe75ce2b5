import Recordings
import Storage
import TestSupport
import Testing
import TouchModel

extension DeviceGuestTests {
  @Suite struct Kinds {
    @Test func `Touches of protocol A and single touch are counted like those of slots`() throws {
      let test = try GuestCase("kinds")
      try test.start()
      var anonymous = Gestures(on: .anonymous(x: 0...1023, y: 0...767, name: "Anonymous"))
      anonymous.tap(at: (20, 20))
      anonymous.wait(100_000)
      anonymous.down(0, 100, 100)
      anonymous.down(1, 900, 700)
      anonymous.frame()
      for step in 1...20 {
        anonymous.move(0, 100 + Int32(step) * 10, 100)
        anonymous.move(1, 900 - Int32(step) * 10, 700)
        anonymous.frame()
      }
      anonymous.upAll()
      anonymous.frame()
      var single = Gestures(on: .singleTouch(x: 0...1023, y: 0...767, name: "Single"))
      single.tap(at: (40, 40))
      single.wait(100_000)
      // Tap the same place again: the kernel sends no position, because it has not changed.
      single.tap(at: (40, 40))
      single.wait(100_000)
      single.drag(from: (500, 500), to: (600, 500))
      let files = [
        try test.write(anonymous.recording, as: "anonymous.evemu"),
        try test.write(single.recording, as: "single.evemu"),
      ]
      // A hostile name of a device must harm neither the log nor the store.
      try test.guest.run(
        "touchgrid play \(files[0]) --start-after 3 && "
          + "name=$(printf 'Evil %%s %%d \"\\n\\033[2J\\377x') && "
          + "touchgrid play \(files[1]) --start-after 3 --name \"$name\"")
      try test.waitForLog("is no longer read", count: 2)
      let log = try test.log
      #expect(log.contains("Evil %s %d") && !log.contains("\u{1b}"))
      #expect(log.split(separator: "\n").allSatisfy { $0.contains(": ") })
      let store = try test.stop()
      let taps = try store.counts(.taps)
      #expect(
        taps == [
          Block(column: 1, row: 1): 1, Block(column: 6, row: 6): 1, Block(column: 56, row: 43): 1,
          Block(column: 2, row: 2): 2, Block(column: 31, row: 31): 1,
        ])
      let totals = try store.onlySession().record.totals
      #expect(totals.counted == 6)
      #expect(totals.cancelled == 0)
      #expect(totals.isBalanced)
    }

    @Test func `Touch-ups that only a button or the pressure tells of reach the daemon`() throws {
      let test = try GuestCase("lifts")
      try test.start()
      // Slots that keep their tracking id, protocol A without a button, and a button that bounces.
      var slots = Gestures(
        on: .panel(x: 0...1023, y: 0...767, hasSingleTouch: false, name: "Button"))
      var device = DeviceDescription.anonymous(x: 0...1023, y: 0...767, name: "Pressure")
      device.codes[EventType.key] = nil
      for code in [AbsCode.x, AbsCode.y] { device.axes[code] = nil }
      device.axes[AbsCode.pressure] = AxisInfo(minimum: 0, maximum: 255)
      var pressure = Gestures(on: device)
      slots.raw(EventType.abs, AbsCode.mtTrackingID, 5)
      for x in [20, 900] as [Int32] {
        for (code, value) in [(AbsCode.mtPositionX, x), (AbsCode.mtPositionY, 20)] {
          slots.raw(EventType.abs, code, value)
          pressure.raw(EventType.abs, code, value)
        }
        pressure.raw(EventType.syn, SynCode.mtReport, 0)
        for value in [1, 0] as [Int32] {
          slots.raw(EventType.key, KeyCode.buttonTouch, value)
          pressure.raw(EventType.abs, AbsCode.pressure, value)
          slots.frame(after: 100_000)
          pressure.frame(after: 100_000)
        }
      }
      var bouncing = Gestures(on: .singleTouch(x: 0...1023, y: 0...767, name: "Bouncing"))
      for x in 500...509 as ClosedRange<Int32> {
        bouncing.raw(EventType.abs, AbsCode.x, x)
        bouncing.raw(EventType.abs, AbsCode.y, 20)
        for value in [1, 0] as [Int32] { bouncing.raw(EventType.key, KeyCode.buttonTouch, value) }
        bouncing.frame(after: 10_000)
      }
      var buttoned = slots.recording
      buttoned.description.codes[EventType.key] = [KeyCode.buttonTouch]
      let files = [
        try test.write(buttoned, as: "button.evemu"),
        try test.write(pressure.recording, as: "pressure.evemu"),
        try test.write(bouncing.recording, as: "bouncing.evemu"),
      ]
      try test.guest.run(
        files.map { "touchgrid play \($0) --start-after 3 --hold 1" }.joined(separator: " && "))
      try test.waitForLog("is no longer read", count: 3)
      let store = try test.stop()
      #expect(
        try store.counts(.taps) == [
          Block(column: 1, row: 1): 2, Block(column: 56, row: 1): 2, Block(column: 31, row: 1): 1,
        ])
      #expect(try store.onlySession().record.totals.cancelled == 0)
    }

    @Test func `Of two nodes of one panel, the better one is read, and the other after it is gone`()
      throws
    {
      let test = try GuestCase("twins")
      try test.start()
      var poor = Gestures(on: .singleTouch(x: 0...1023, y: 0...767, name: "Poor"))
      poor.tap(at: (20, 20))
      poor.wait(9_000_000)
      poor.tap(at: (40, 40))
      var rich = Gestures(on: .panel(x: 0...1023, y: 0...767, name: "Rich"))
      rich.tap(at: (20, 20))
      let files = [
        try test.write(poor.recording, as: "poor.evemu"),
        try test.write(rich.recording, as: "rich.evemu"),
      ]
      try test.guest.run(
        """
        touchgrid play \(files[0]) --phys usb-0:1/input0 --start-after 6 & a=$!
        sleep 1
        touchgrid play \(files[1]) --phys usb-0:1/input1 --start-after 6 & b=$!
        wait $a && wait $b
        """)
      try test.waitForLog(
        "\"Poor\" is not read: another node of the same touchscreen is already read")
      try test.waitForLog("\"Poor\" is read", count: 2)
      let store = try test.stop()
      // One tap comes from the richer node while both exist, and one from the poorer node
      // afterwards.
      let taps = try store.counts(.taps)
      #expect(taps == [Block(column: 1, row: 1): 1, Block(column: 2, row: 2): 1])
    }

    @Test
    func
      `Devices that are ignored, belong to another seat or have no range are refused with the reason`()
      throws
    {
      let test = try GuestCase("ignored")
      try test.guest.run(
        """
        mkdir -p /run/udev/rules.d
        cat >/run/udev/rules.d/99-ignored.rules <<'END'
        ATTRS{name}=="Ignored", ENV{LIBINPUT_IGNORE_DEVICE}="1"
        ATTRS{name}=="Elsewhere", ENV{ID_SEAT}="seat1"
        END
        udevadm control --reload
        """)
      try test.start(
        configuration: """
          [[device]]
          match = "Unwanted*"
          ignore = true
          """)
      var flat = DeviceDescription.panel(x: 0...1023, y: 5...5, name: "Flat")
      flat.axes[AbsCode.y] = AxisInfo(minimum: 0, maximum: 767)
      let others = ["Ignored", "Elsewhere", "Unwanted 1"].map { DeviceDescription.panel(name: $0) }
      for device in others + [flat] {
        var gestures = Gestures(on: device)
        gestures.tap(at: (20, 5))
        try test.play(gestures.recording)
      }
      try test.guest.run("rm /run/udev/rules.d/99-ignored.rules; udevadm control --reload")
      try test.waitForLog("\"Ignored\" is not read: udev sets LIBINPUT_IGNORE_DEVICE")
      try test.waitForLog("\"Elsewhere\" is not read: it belongs to seat seat1")
      try test.waitForLog(
        "\"Unwanted 1\" is not read: the configuration ignores it (ignore = true in [[device]])")
      try test.waitForLog(
        "\"Flat\" is not read: its ABS_MT_POSITION_Y has an empty range, 5 to 5 (kernel bug)")
      #expect(try test.stop().sessions(in: .always).isEmpty)
    }
  }
}
