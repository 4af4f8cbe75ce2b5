import Storage
import TestSupport
import Testing
import TouchModel

extension DeviceGuestTests {
  @Suite struct Geometry {
    /// Taps once at the raw top left, twice at the top right, three times at the bottom left and
    /// four times at the bottom right. The counts show where each corner ended up.
    private func corners(
      of panel: DeviceDescription, x: ClosedRange<Int32>, y: ClosedRange<Int32>
    ) -> Gestures {
      var gestures = Gestures(on: panel)
      let corners = [
        (x.lowerBound, y.lowerBound), (x.upperBound, y.lowerBound), (x.lowerBound, y.upperBound),
        (x.upperBound, y.upperBound),
      ]
      for (index, corner) in corners.enumerated() {
        for _ in 0...index {
          gestures.tap(0, at: corner)
          gestures.wait(60_000)
        }
      }
      return gestures
    }

    /// Returns the counts of the four corner blocks: top left, top right, bottom left, bottom
    /// right.
    private func cornerCounts(
      _ counts: [Block: UInt64], columns: Int, rows: Int
    ) -> [UInt64] {
      [(0, 0), (columns - 1, 0), (0, rows - 1), (columns - 1, rows - 1)].map {
        counts[Block(column: $0.0, row: $0.1)] ?? 0
      }
    }

    private func playAtOnce(_ test: GuestCase, _ all: [Gestures]) throws {
      var files: [String] = []
      for (number, gestures) in all.enumerated() {
        files.append(try test.write(gestures.recording, as: "panel\(number).evemu"))
      }
      let plays = files.map { "touchgrid play \($0) --start-after 2 & pids=\"$pids $!\"" }
      try test.guest.run(
        plays.joined(separator: "\n") + "\nfor pid in $pids; do wait $pid || exit 1; done")
      try test.waitForLog("is no longer read", count: all.count)
    }

    @Test func `udev's calibration matrix is applied as in libinput`() throws {
      let test = try GuestCase("calibration")
      let matrices = [
        ("C0", "1 0 0 0 1 0", [1, 2, 3, 4]), ("C90", "0 -1 1 1 0 0", [3, 1, 4, 2]),
        ("C180", "-1 0 1 0 -1 1", [4, 3, 2, 1]), ("C270", "0 1 0 -1 0 1", [2, 4, 1, 3]),
      ]
      let rules = matrices.map {
        "ATTRS{name}==\"\($0.0)\", ENV{LIBINPUT_CALIBRATION_MATRIX}=\"\($0.1)\""
      }
      try test.guest.run(
        """
        mkdir -p /run/udev/rules.d
        cat >/run/udev/rules.d/99-calibration.rules <<'END'
        \(rules.joined(separator: "\n"))
        END
        udevadm control --reload
        """)
      let configuration = matrices.map {
        """
        [[device]]
        match = "\($0.0)"
        display = "\($0.0)"
        [[display]]
        name = "\($0.0)"
        width = 1024
        height = 768
        """
      }
      try test.start(configuration: configuration.joined(separator: "\n"))
      try playAtOnce(
        test,
        matrices.map {
          corners(of: .panel(x: 0...4095, y: 0...4095, name: $0.0), x: 0...4095, y: 0...4095)
        })
      try test.guest.run("rm /run/udev/rules.d/99-calibration.rules; udevadm control --reload")
      let store = try test.stop()
      for (name, _, expected) in matrices {
        let summaries = try store.grids(screen: nil, layer: .taps, in: .always)
          .filter { $0.key.display == name }
        let summary = try #require(summaries.first)
        let found = [(0, 0), (63, 0), (0, 47), (63, 47)].map { summary.sum[$0.1 * 64 + $0.0] }
        #expect(found == expected.map(UInt64.init), "matrix \(name)")
        #expect(summary.placements.first?.matrixSource == .udev)
      }
    }

    @Test func `Negative and overridden ranges reach all four corners, and controls, as rotated`()
      throws
    {
      let test = try GuestCase("ranges")
      try test.start(
        configuration: """
          [[device]]
          match = "Wrong maximum"
          x = [0, 799]
          y = [0, 479]
          display = "small"
          [[display]]
          name = "small"
          width = 800
          height = 480
          rotation = 90
          width_mm = 200
          height_mm = 120
          [[control]]
          screen = "default"
          display = "small"
          name = "help"
          x = 470
          y = 790
          width = 10
          height = 10
          [[device]]
          match = "Negative"
          display = "negative"
          [[display]]
          name = "negative"
          width = 1024
          height = 768
          """)
      try playAtOnce(
        test,
        [
          corners(
            of: .panel(x: 10000...20000, y: -2000...2000, name: "Negative"), x: 10000...20000,
            y: -2000...2000),
          corners(
            of: .panel(x: 0...1023, y: 0...1023, name: "Wrong maximum"), x: 0...799, y: 0...479),
        ])
      let store = try test.stop()
      #expect(
        cornerCounts(try store.counts(.taps, display: "negative"), columns: 64, rows: 48)
          == [1, 2, 3, 4])
      #expect(
        cornerCounts(try store.counts(.taps, display: "small"), columns: 30, rows: 50)
          == [2, 4, 1, 3])
      // The top of the picture lies along the panel's right edge.
      let controls = try store.controls(of: GridQuery(.span(.always), layer: .taps))
      let counts = try #require(controls.first { $0.counts.key.display == "small" }).counts
      #expect(counts[0].hits.count == 3 && abs(counts.set.pointSize - 0.25) < 0.001)
      #expect(try store.onlySession().record.totals.clamped == 0)
    }
  }
}
