import Storage
import TestSupport
import Testing
import TouchModel

extension DeviceGuestTests {
  @Suite struct Geometry {
    /// Taps once at the raw top left, twice at the top right, three times at the bottom left and
    /// four times at the bottom right. The counts show where each corner ended up.
    private func corners(of panel: String) -> Gestures {
      var gestures = Gestures(on: .panel(name: panel))
      let corners: [(Int32, Int32)] = [(0, 0), (4095, 0), (0, 4095), (4095, 4095)]
      for (index, corner) in corners.enumerated() {
        for _ in 0...index {
          gestures.tap(0, at: corner)
          gestures.wait(60_000)
        }
      }
      return gestures
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
      try playAtOnce(test, matrices.map { corners(of: $0.0) })
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
  }
}
