import Foundation
import TestSupport
import Testing

extension PackagedGuestTests {
  /// The unit's sandbox, tried from inside.
  @Suite struct PackageSandbox {
    /// The output of `probe.py`.
    private struct Findings: Decodable {
      let written: [String]
      let connected: [String]
      let devices: [String]
      let done: [String]
      let strangers: [Int]
      let status: [String: String]
    }

    /// The unit as installed, but with another program, which systemd does not supervise.
    private static let probe =
      """
      [Service]
      Type=oneshot
      Restart=no
      WatchdogSec=0
      StandardOutput=file:/run/probe.json
      ExecStart=
      ExecStart=/usr/bin/python3 /usr/local/bin/probe.py /var/lib/touchgrid /tmp
      """

    @Test(arguments: Guest.suites)
    func `The sandbox allows writing to two folders and refuses everything else`(suite: String)
      throws
    {
      let packaged = try PackagedGuest.shared(suite)
      let guest = packaged.guest
      let words = try guest.run(
        """
        cp probe.py /usr/local/bin/
        cd /run/systemd/system && mkdir probe.service.d
        sed '/^Wants=/d; /^After=/d' /lib/systemd/system/touchgridd.service >probe.service
        cat >probe.service.d/probe.conf <<'END'
        \(Self.probe)
        END
        systemctl daemon-reload
        systemctl start probe || { journalctl --no-pager -n 30 -u probe >&2; exit 1; }
        cat /run/probe.json
        rm -r probe.service probe.service.d /usr/local/bin/probe.py /run/probe.json
        systemctl daemon-reload
        """, timeout: 900)
      let findings = try JSONDecoder().decode(Findings.self, from: Data(words.utf8))
      #expect(findings.written == [])
      // The daemon can reach only systemd's notify socket and the user database.
      #expect(findings.connected.contains("/run/systemd/notify"))
      #expect(
        findings.connected.filter {
          $0 != "/run/systemd/notify" && !$0.hasPrefix("/run/systemd/userdb/")
        } == [])
      // Outside the sandbox the same user can reach D-Bus. So it is the sandbox that blocks
      // sockets.
      try guest.run(
        """
        setpriv --reuid=touchgrid --regid=touchgrid --clear-groups python3 -c \
          'import socket; socket.socket(socket.AF_UNIX).connect("/run/dbus/system_bus_socket")'
        """)
      #expect(findings.devices == [])
      #expect(findings.done == [])
      #expect(findings.strangers == [])
      for (name, value) in findings.status where name.hasPrefix("Cap") {
        #expect(value == "0000000000000000", "\(name)")
      }
      #expect(findings.status["NoNewPrivs"] == "1")
      #expect(findings.status["Seccomp"] == "2")
    }

    @Test(arguments: Guest.suites)
    func `The unit that writes metrics can do so in its sandbox, for all users`(suite: String)
      throws
    {
      let guest = try PackagedGuest.shared(suite).guest
      let verdict = try guest.attempt(
        """
        cd /usr/share/doc/touchgrid/examples/metrics || exit 1
        install -m 644 -t /run/systemd/system touchgrid-metrics.* touchgrid-panels.*
        systemctl daemon-reload
        systemd-analyze verify --man=no touchgrid-metrics.* touchgrid-panels.*
        """)
      #expect(verdict.status == 0 && verdict.output + verdict.errors == "", "\(verdict)")
      let words = try guest.run(
        """
        systemctl start touchgrid-metrics.timer touchgrid-panels.timer || exit 1
        for unit in touchgrid-metrics touchgrid-panels touchgrid-metrics; do
          systemctl start $unit || { journalctl --no-pager -n 30 -u $unit >&2; exit 1; }
        done
        cd /var/lib/touchgrid-metrics && stat -c '%n %U %a' . * && cat *.prom
        systemctl stop touchgrid-metrics.timer touchgrid-panels.timer
        rm -r /var/lib/touchgrid-metrics /run/systemd/system/touchgrid-*.service \
          /run/systemd/system/touchgrid-*.timer
        systemctl daemon-reload
        """)
      #expect(
        words.hasPrefix(". root 755\ntouchgrid-panels.prom root 644\ntouchgrid.prom root 644\n#"),
        "\(words)")
      #expect(words.contains("\ntouchgrid_pauses 0\n") && words.hasSuffix("# EOF\n"), "\(words)")
    }

    @Test(arguments: Guest.suites)
    func `The sandbox allows everything that the daemon does in its life`(suite: String) throws {
      let packaged = try PackagedGuest.shared(suite)
      let guest = packaged.guest
      let folder = "/run/systemd/system/touchgridd.service.d"
      try guest.run(
        """
        mkdir -p \(folder)
        printf '[Service]\\nSystemCallErrorNumber=kill\\nRestart=no\\n' >\(folder)/kill.conf
        systemctl daemon-reload && systemctl stop touchgridd
        rm -f /var/lib/touchgrid/* && systemctl start touchgridd
        """)
      defer {
        _ = try? guest.run(
          """
          rm -r \(folder); systemctl daemon-reload; systemctl stop touchgridd
          ! mountpoint -q /var/lib/touchgrid || umount /var/lib/touchgrid
          systemctl start touchgridd
          """)
      }
      let before = try guest.run("systemctl show -P MainPID touchgridd")
      var gestures = Gestures(on: .panel(width: 1024, height: 768))
      gestures.tap(at: (20, 20))
      try packaged.play(gestures.recording)
      try guest.run(
        """
        touchgrid status && touchgrid end-session && touchgrid sessions &&
        touchgrid heatmap && systemctl reload touchgridd && touchgrid status
        """)
      // An invalid configuration is not loaded.
      try guest.run(
        """
        cd /etc/touchgrid && cp touchgridd.toml /tmp/ && echo '[sesion]' >>touchgridd.toml
        systemctl reload touchgridd; status=$?; cp /tmp/touchgridd.toml .
        [ $status != 0 ] && touchgrid status
        """)
      try packaged.play(gestures.recording)
      try guest.run(
        "touchgrid forget --session 1 --yes && touchgrid end-session && touchgrid status")
      #expect(try guest.run("systemctl show -P MainPID touchgridd") == before)
      // Start with past days and sessions that are too old, and with a damaged store.
      let look = try guest.run(
        """
        cd /var/lib/touchgrid
        again() { chown touchgrid: touchgrid.db* && systemctl start touchgridd && touchgrid status >/dev/null; }
        ask() { python3 -c 'import sqlite3, sys
        print(sqlite3.connect("touchgrid.db").execute(sys.argv[1]).fetchone()[0])' "$1"; }
        systemctl stop touchgridd
        python3 /host/past.py touchgrid.db add 9 200 && python3 /host/past.py touchgrid.db add 40 900 || exit 1
        again || exit 1
        for i in $(seq 300); do [ $(ask 'SELECT count(*) FROM session') = 10 ] && break; sleep 0.5; done
        echo kept $(ask 'SELECT count(*) FROM session') days $(ask 'SELECT count(*) > 5 FROM day')
        systemctl stop touchgridd
        dd if=/dev/urandom of=touchgrid.db bs=1 seek=100 count=3996 conv=notrunc 2>/dev/null
        again || exit 1
        echo damaged $(ls | grep -c 'damaged-[^-]*$')
        """, timeout: 900)
      #expect(look == "kept 10 days 1\ndamaged 1\n")
      // Record on a full disk, which gets room again.
      try guest.run(
        """
        systemctl stop touchgridd
        mount -t tmpfs -o size=1m,mode=0750,uid=touchgrid,gid=touchgrid none /var/lib/touchgrid
        systemctl start touchgridd; dd if=/dev/zero of=/var/lib/touchgrid/filler bs=1k 2>/dev/null; true
        """)
      try packaged.play(gestures.recording)
      try guest.run(
        """
        for i in $(seq 300); do touchgrid status | grep -q full && break; sleep 0.5; done
        touchgrid status | grep -q full || exit 1
        rm /var/lib/touchgrid/filler
        for i in $(seq 300); do touchgrid status >/dev/null && exit 0; sleep 0.5; done; exit 1
        """)
      // Stop, and start with an existing store.
      try guest.run("systemctl restart touchgridd && touchgrid status")
      #expect(try guest.run("systemctl show -P Result touchgridd") == "success\n")
    }
  }
}
