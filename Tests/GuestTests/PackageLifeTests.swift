import Foundation
import Recordings
import Storage
import TestSupport
import Testing
import TouchModel

extension PackagedGuestTests {
  /// The life of the packaged service: it is queried, stopped under load, hung and switched off.
  @Suite struct PackageLife {
    private static let pid = "$(systemctl show -P MainPID touchgridd)"

    /// Plays a recording in the background, as a systemd unit.
    private func play(_ recording: Recording, as unit: String, in packaged: PackagedGuest) throws {
      try recording.evemuText.write(
        to: packaged.guest.share.appending(path: "\(unit).evemu"), atomically: true,
        encoding: .utf8)
      try packaged.guest.run(
        "systemd-run --quiet --unit=\(unit) touchgrid play /host/\(unit).evemu")
    }

    private func waitFor(_ condition: String, in guest: Guest) throws {
      try guest.run("for i in $(seq 600); do \(condition) && exit 0; sleep 0.5; done; exit 1")
    }

    @Test(arguments: Guest.suites)
    func `Python's varlink and varlinkctl, if there is one, introspect the interface and call it`(
      suite: String
    ) throws {
      let guest = try PackagedGuest.shared(suite).guest
      let parameters = #"'{"tags": {"place": "hall"}}'"#
      try guest.run("python3 call.py BeginSession \(parameters)")
      guard try guest.attempt("command -v varlinkctl").status == 0 else { return }
      try guest.run(
        """
        varlinkctl info /run/varlink/registry/io.touchgrid | grep -q touchgridd &&
        varlinkctl introspect /run/touchgrid/io.touchgrid io.touchgrid >/tmp/description &&
        varlinkctl validate-idl /tmp/description && grep -q WatchTouches /tmp/description &&
        varlinkctl call /run/touchgrid/io.touchgrid io.touchgrid.TagSession \(parameters) &&
        varlinkctl call /run/touchgrid/io.touchgrid io.touchgrid.EndSession '{}'
        """)
    }

    @Test(arguments: Guest.suites)
    func `A daemon that hangs while it has work is restarted`(suite: String) throws {
      let packaged = try PackagedGuest.shared(suite)
      let guest = packaged.guest
      try packaged.play(taps(3))
      let before = try guest.run("systemctl show -P NRestarts touchgridd")
      try guest.run("kill -STOP \(Self.pid)")
      let restarts = "systemctl show -P NRestarts touchgridd"
      try waitFor("[ $(\(restarts)) != \(before.dropLast()) ]", in: guest)
      try waitFor("touchgrid status >/dev/null 2>&1", in: guest)
      #expect(try guest.run("journalctl -u touchgridd").contains("Watchdog timeout"))
    }

    @Test
    func `When the computer reboots under load, the session is written and recording resumes`()
      throws
    {
      let guest = try Guest(suite: Guest.suites.first, kept: "kept", clock: .instructionsAndIdle)
      let packaged = try PackagedGuest(on: guest)
      try packaged.install()
      try play(taps(200, every: 100_000), as: "load", in: packaged)
      try waitFor("touchgrid status --json | grep -Eq '\"counted\" ?: ?[3-9]'", in: guest)
      try guest.reboot()
      #expect(
        try guest.run("systemctl is-active touchgridd.service touchgridd.socket")
          == "active\nactive\n")
      try packaged.play(taps(2))
      try guest.run("systemctl stop touchgridd")
      let sessions = try packaged.store().sessions(in: .always).map(\.record)
      #expect(sessions.map(\.end) == [.stopped, .stopped])
      #expect(sessions.allSatisfy { $0.totals.isBalanced })
      #expect(sessions.last?.totals.counted == 2)
    }
  }
}
