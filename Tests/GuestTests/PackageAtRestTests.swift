import Foundation
import Recordings
import TestSupport
import Testing
import TouchModel

extension DeviceGuestTests {
  /// The packaged service at rest. The guest skips idle time, so this takes no longer than other
  /// tests.
  @Suite struct PackageAtRest {
    @Test
    func
      `With a panel, clients that wait for idleness and no touches, the daemon sleeps for 10 minutes`()
      throws
    {
      let guest = try Guest.shared()
      let packaged = try PackagedGuest(on: guest)
      try packaged.install()
      defer { _ = try? packaged.purge() }
      let file = guest.share.appending(path: "idle.evemu")
      var gestures = Gestures(on: .panel(width: 1024, height: 768))
      gestures.tap(at: (8, 8))
      try gestures.recording.evemuText.write(to: file, atomically: true, encoding: .utf8)
      try guest.run(
        """
        systemd-run --quiet --unit=idle touchgrid play /host/idle.evemu --start-after 3000
        for i in $(seq 600); do
          touchgrid devices --json | grep -q '"node"' && exit 0; sleep 0.5
        done
        exit 1
        """)
      // The two clients wait longer than this test.
      try guest.run(
        """
        for n in 1 2; do
          systemd-run --quiet --unit=wait$n touchgrid wait --idle 2h
        done
        """)
      // Maintenance runs 11 minutes after the start and then once a day. The watchdog is disarmed
      // within its 20 s.
      try guest.run("sleep 720")
      let switches = """
        grep -h ctxt_switches /proc/$(systemctl show -P MainPID touchgridd)/task/*/status
        """
      let words = try guest.run("\(switches); sleep 600; echo; \(switches)", timeout: 1800)
      let halves = words.components(separatedBy: "\n\n")
      try #require(halves.count == 2 && halves[0].contains("voluntary_ctxt_switches"))
      #expect(halves[0] == halves[1].trimmingCharacters(in: .newlines))
      try guest.run("systemctl is-active wait1 wait2 && systemctl stop idle wait1 wait2")
    }
  }
}
