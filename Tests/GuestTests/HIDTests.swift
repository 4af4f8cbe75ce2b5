import Foundation
import Storage
import Testing
import TouchModel

extension GuestTests {
  /// HID reports of real panels, decoded by the kernel's own hid-multitouch.
  @Suite(.enabled(if: Guest.corpus != nil, "set TOUCHGRID_CORPUS to the recordings of real panels"))
  struct HID {
    static let panels = [
      "hanvon_20b3_0a18", "actionstar_2101_1011", "cando_2087_0a02", "atmel_03eb_211c",
      "asus-computers_0486_0185", "unitec_227d_0103",
    ]

    // One after another: under load hid-multitouch's timer for sticky fingers splits touches.
    @Test("the touches of a panel that the kernel's HID driver decodes are those expected")
    func throughTheKernel() throws {
      let corpus = try #require(Guest.corpus)
      let all = try Expectation.all(in: corpus)
      for name in Self.panels {
        let expectation = try #require(all.first { $0.device == name })
        let reports = "\(corpus)/\(try #require(expectation.reportFile))"
        let test = try GuestCase("hid")
        try FileManager.default.copyItem(
          at: URL(filePath: reports), to: test.folder.appending(path: "panel.hid"))
        try test.start(configuration: "[grid]\nblock_size = 4\n")
        try test.guest.run(
          "python3 /host/uhid-play.py \(test.path)/panel.hid --max-pause 0.3 --start-after 2")
        try test.waitForLog("is no longer read")
        let store = try test.stop()

        let summaries = try store.summaries(screen: nil, layer: .taps, in: .always)
        let placement = try #require(summaries.first?.placements.first)
        var expected: [Block: UInt64] = [:]
        for touch in expectation.touches {
          let block = placement.locate(rawX: touch.x0 ?? 0, rawY: touch.y0 ?? 0).block
          expected[block, default: 0] += 1
        }
        #expect(try store.counts(.taps) == expected, "\(name)")
        let totals = try store.onlySession().record.totals
        #expect(totals.begun == UInt64(expectation.touches.count), "\(name)")
        #expect(totals.balances)
      }
    }

    @Test("a panel and its virtual twin are counted once, whether the panel is grabbed or not")
    func virtualTwin() throws {
      let corpus = try #require(Guest.corpus)
      let expectation = try #require(
        try Expectation.all(in: corpus).first { $0.device == "atmel_03eb_211c" })
      let expected = UInt64(expectation.touches.count)
      for grab in ["", "grab"] {
        let test = try GuestCase("twin\(grab)")
        try FileManager.default.copyItem(
          at: URL(filePath: "\(corpus)/\(try #require(expectation.reportFile))"),
          to: test.folder.appending(path: "panel.hid"))
        try Self.mirror.write(
          to: test.folder.appending(path: "mirror.py"), atomically: true, encoding: .utf8)
        try test.start()
        try test.guest.run(
          """
          python3 /host/uhid-play.py \(test.path)/panel.hid --max-pause 0.3 --start-after 4 \
            >/run/case/node & play=$!
          while [ ! -s /run/case/node ]; do sleep 0.1; done
          python3 \(test.path)/mirror.py $(head -n 1 /run/case/node) \(grab) & mirror=$!
          wait $play; sleep 1; kill $mirror 2>/dev/null; true
          """)
        try test.waitForLog("\"Mirror\" is no longer read")
        let totals = try test.stop().onlySession().record.totals
        #expect(totals.begun == expected, "\(grab)")
        #expect(totals.counted == expected, "\(grab)")
        #expect(totals.balances)
      }
    }

    /// What programs for handhelds do: a virtual touchscreen that repeats a real one.
    static let mirror = """
      import evdev, sys, time
      real = evdev.InputDevice(sys.argv[1])
      twin = evdev.UInput.from_device(real, name="Mirror")
      time.sleep(1)
      if len(sys.argv) > 2:
          real.grab()
      try:
          for event in real.read_loop():
              twin.write_event(event)
      except OSError:
          pass
      """
  }
}
