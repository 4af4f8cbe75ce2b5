import Foundation
import Storage
import TestSupport
import Testing
import TouchModel

extension DeviceGuestTests {
  /// HID reports of real panels, decoded by the kernel's own hid-multitouch.
  @Suite(.enabled(if: Guest.corpus != nil, "set TOUCHGRID_CORPUS to the recordings of real panels"))
  struct HID {
    static let panels =
      Guest.isShort
      ? ["hanvon_20b3_0a18"]
      : [
        "hanvon_20b3_0a18", "actionstar_2101_1011", "cando_2087_0a02", "atmel_03eb_211c",
        "asus-computers_0486_0185", "unitec_227d_0103",
      ]

    private static func prepare(
      _ name: String, _ expectation: CorpusExpectation, in corpus: String
    ) throws -> GuestCase {
      let test = try GuestCase(name)
      let reports = "\(corpus)/\(try #require(expectation.reportFile))"
      try FileManager.default.copyItem(
        at: URL(filePath: reports), to: test.folder.appending(path: "panel.hid"))
      return test
    }

    /// Returns commands that create the panel, which waits for a line before it begins; `$play` is
    /// its player.
    private static func plugIn(_ test: GuestCase) -> String {
      """
      \(GuestCase.awaiting)
      trap 'kill $play $mirror 2>/dev/null' EXIT
      mkfifo /run/case/go; exec 3<>/run/case/go
      python3 /host/uhid-play.py \(test.path)/panel.hid --max-pause 0.3 --hold 1 \
        <&3 >/run/case/node & play=$!
      await '" is read as' 1 60
      for i in $(seq 600); do [ -s /run/case/node ] && break; sleep 0.5; done
      """
    }

    // The panels are played one after another: under load, hid-multitouch's timer for sticky
    // fingers splits touches.
    @Test
    func `The touches of HID reports through the kernel's driver are the expected ones`() throws {
      let corpus = try #require(Guest.corpus)
      let all = try CorpusExpectation.all(in: corpus)
      for name in Self.panels {
        let expectation = try #require(all.first { $0.device == name })
        let test = try Self.prepare("hid", expectation, in: corpus)
        try test.start(configuration: "[grid]\nblock_size = 4\n")
        try test.guest.run(
          """
          \(Self.plugIn(test))
          echo >&3
          wait $play; status=$?; cat /run/case/node; exit $status
          """)
        try test.waitForLog("is no longer read")
        let store = try test.stop()
        let summaries = try store.grids(screen: nil, layer: .taps, in: .always)
        let placement = try #require(summaries.first?.placements.first)
        var expected: [Block: UInt64] = [:]
        for touch in expectation.touches {
          let block = placement.locate(rawX: touch.x0 ?? 0, rawY: touch.y0 ?? 0).block
          expected[block, default: 0] += 1
        }
        #expect(try store.counts(.taps) == expected, "\(name)")
        let totals = try store.onlySession().record.totals
        #expect(totals.begun == UInt64(expectation.touches.count), "\(name)")
        #expect(totals.isBalanced)
      }
    }

    @Test(arguments: Guest.isShort ? [""] : ["", "grab"])
    func `A panel and its virtual duplicate are counted once, grabbed or not`(grab: String) throws {
      let corpus = try #require(Guest.corpus)
      let expectation = try #require(
        try CorpusExpectation.all(in: corpus).first { $0.device == "atmel_03eb_211c" })
      let expected = UInt64(expectation.touches.count)
      let test = try Self.prepare("twin\(grab)", expectation, in: corpus)
      try test.start()
      // The first touch-down comes once the mirror runs and the daemon reads both devices.
      try test.guest.run(
        """
        \(Self.plugIn(test))
        python3 /host/mirror.py $(head -n 1 /run/case/node) \(grab) >/run/case/mirror & mirror=$!
        await '"Mirror" is read as' 1 60
        for i in $(seq 300); do grep -q ready /run/case/mirror && break; sleep 0.5; done
        echo >&3
        wait $play; status=$?
        wait $mirror || status=$?
        cat /run/case/node /run/case/mirror; exit $status
        """)
      try test.waitForLog("\"Mirror\" is no longer read")
      let totals = try test.stop().onlySession().record.totals
      #expect(totals.begun == expected)
      #expect(totals.counted == expected)
      #expect(totals.isBalanced)
    }
  }
}
