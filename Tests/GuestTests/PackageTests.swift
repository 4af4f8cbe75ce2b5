import Foundation
import Storage
import TestSupport
import Testing
import TouchModel

extension PackagedGuestTests {
  @Suite struct Package {
    private static let units = "touchgridd.service touchgridd.socket"

    @Test(arguments: Guest.suites)
    func `The package starts and enables the service and its socket`(suite: String) throws {
      let guest = try PackagedGuest.shared(suite).guest
      #expect(try guest.run("systemctl is-active \(Self.units)") == "active\nactive\n")
      #expect(try guest.run("systemctl is-enabled \(Self.units)") == "enabled\nenabled\n")
      #expect(
        try guest.run(
          """
          cd /var/lib
          stat -c '%A %U:%G' /run/touchgrid/io.touchgrid touchgrid touchgrid-pictures
          """)
            == """
            srw-rw-rw- root:root
            drwxr-x--- touchgrid:touchgrid
            drwxr-x--- root:touchgrid-read

            """)
      try guest.run(
        """
        getent group touchgrid-app touchgrid-read touchgrid-watch touchgrid-signal \
          touchgrid-operate
        """)
    }

    @Test(arguments: Guest.suites)
    func `The memory pages have the size of the suite's kernel`(suite: String) throws {
      let guest = try PackagedGuest.shared(suite).guest
      let size = suite.hasSuffix("-16k") ? 16_384 : 4_096
      #expect(try guest.run("getconf PAGESIZE") == "\(size)\n")
    }

    @Test(arguments: Guest.suites)
    func `systemd accepts the units without warnings and rates their exposure low`(suite: String)
      throws
    {
      let guest = try PackagedGuest.shared(suite).guest
      let words = try guest.attempt(
        """
        systemd-analyze verify \(Self.units) touchgrid-report.service touchgrid-report.timer \
          touchgrid-clean.socket touchgrid-clean@1.service
        """)
      #expect(words.status == 0)
      #expect(words.output + words.errors == "")
      for unit in ["touchgridd", "touchgrid-report"] {
        let verdict = try guest.run("systemd-analyze security \(unit) | tail -n 1")
        let exposure = verdict.split(separator: " ").lazy.compactMap { Double($0) }.first
        #expect(try #require(exposure) <= 1.0, "\(verdict)")
      }
    }

    @Test(arguments: Guest.suites)
    func `The weekly report is off until its timer is enabled, and readers may read it`(
      suite: String
    ) throws {
      let packaged = try PackagedGuest.shared(suite)
      let guest = packaged.guest
      #expect(
        try guest.attempt("systemctl is-enabled touchgrid-report.timer").output == "disabled\n")
      var gestures = Gestures(on: .panel(width: 1024, height: 768))
      gestures.tap(at: (20, 20))
      try packaged.play(gestures.recording)
      // The report has what is saved, which is at most 6 s old.
      try guest.run(
        """
        sleep 7
        systemctl enable --now touchgrid-report.timer && systemctl start touchgrid-report
        """)
      let report = "/var/lib/touchgrid-report/report.html"
      #expect(
        try guest.run("stat -c '%A %U:%G' \(report)") == "-rw-r----- touchgrid:touchgrid-read\n")
      // The page itself has no such text.
      try guest.run("grep -q '\"screen\":\"default\"' \(report)")
      // As when no daemon runs.
      try guest.run(
        """
        systemctl stop touchgridd && rm \(report) && systemctl start touchgrid-report
        grep -q '"screen":"default"' \(report) && systemctl start touchgridd
        """)
    }

    @Test(arguments: Guest.suites)
    func `An upgrade writes the session, keeps a changed configuration and goes on recording`(
      suite: String
    ) throws {
      let packaged = try PackagedGuest.shared(suite)
      let guest = packaged.guest
      try guest.run(
        """
        systemctl stop touchgridd && rm /var/lib/touchgrid/*
        echo '# ours' >>/etc/touchgrid/touchgridd.toml
        # However long the upgrade takes.
        sed -i 's/^idle_timeout = .*/idle_timeout = "1h"/' /etc/touchgrid/touchgridd.toml
        systemctl start touchgridd
        """)
      var gestures = Gestures(on: .panel(width: 1024, height: 768))
      gestures.tap(at: (20, 20))
      try packaged.play(gestures.recording)
      let before = try guest.run("systemctl show -P MainPID touchgridd")

      let next = try packaged.makeNextVersion()
      try guest.run("DEBIAN_FRONTEND=noninteractive dpkg --install \(next)")

      #expect(try guest.run("dpkg-query -W -f '${Version}' touchgrid").hasSuffix("+next"))
      #expect(try guest.run("systemctl is-active \(Self.units)") == "active\nactive\n")
      #expect(try guest.run("systemctl show -P MainPID touchgridd") != before)
      try guest.run("grep -x '# ours' /etc/touchgrid/touchgridd.toml")
      gestures.tap(at: (500, 500))
      try packaged.play(gestures.recording)
      try guest.run("systemctl stop touchgridd")
      let sessions = try packaged.store().sessions(in: .always).map(\.record)
      #expect(sessions.map(\.totals.counted) == [1, 2])
      #expect(sessions.map(\.end) == [.stopped, .stopped])
      try guest.run(
        """
        sed -i 's/^idle_timeout = .*/idle_timeout = "60s"/' /etc/touchgrid/touchgridd.toml
        systemctl start touchgridd
        """)
    }

    @Test(arguments: Guest.suites)
    func `A client that keeps connecting does not start a stopped service`(suite: String) throws {
      let guest = try PackagedGuest.shared(suite).guest
      try guest.run(
        """
        python3 -c 'import socket, time
        end = time.time() + 3
        while time.time() < end:
          try: socket.socket(socket.AF_UNIX).connect("/run/touchgrid/io.touchgrid")
          except OSError: pass
          time.sleep(0.01)' & client=$!
        systemctl stop touchgridd
        wait $client
        """)
      #expect(
        try guest.attempt("systemctl is-active \(Self.units)").output == "inactive\ninactive\n")
      try guest.run("systemctl start touchgridd")
      #expect(try guest.run("systemctl is-active \(Self.units)") == "active\nactive\n")
    }

    @Test(arguments: Guest.suites)
    func `After removal and reinstallation, the service and its socket run`(suite: String) throws {
      let packaged = try PackagedGuest.shared(suite)
      try packaged.remove()
      try packaged.install()
      let guest = packaged.guest
      #expect(try guest.run("systemctl is-active \(Self.units)") == "active\nactive\n")
      try guest.run("touchgrid status")
    }

    @Test(arguments: Guest.suites)
    func `A purge leaves only the store`(suite: String) throws {
      let packaged = try PackagedGuest.shared(suite)
      let guest = packaged.guest
      let words = try packaged.purge()

      // The folder is systemd's, for all timers that are persistent.
      let left = try packaged.pathsLeft().subtracting(["/var/lib/systemd/timers"]).sorted()
      #expect(left == ["/var/lib/touchgrid", "/var/lib/touchgrid/touchgrid.db"])
      #expect(words.contains("rm -r /var/lib/touchgrid"))
      #expect(try guest.run("systemctl list-units --all --no-legend 'touchgrid*'") == "")
    }
  }
}
