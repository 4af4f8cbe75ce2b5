import Foundation
import TestSupport
import Testing

extension PackagedGuestTests {
  /// The unit's sandbox, tried from inside.
  @Suite struct PackageSandbox {
    /// What `probe.py` prints.
    private struct Findings: Decodable {
      let written: [String]
      let devices: [String]
      let done: [String]
      let strangers: [Int]
      let status: [String: String]
    }

    /// The unit as installed, but for what its program is and how systemd looks after that.
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

    @Test(
      "inside the sandbox two folders can be written to, and what is none of the daemon's business is refused",
      arguments: Guest.suites)
    func refuses(suite: String) throws {
      let packaged = try PackagedGuest.shared(suite)
      let guest = packaged.guest
      try FileManager.default.copyItem(
        at: Guest.repository.appending(path: "Tests/Guest/probe.py"),
        to: guest.share.appending(path: "probe.py"))
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
        """, timeout: 300)
      let findings = try JSONDecoder().decode(Findings.self, from: Data(words.utf8))
      #expect(findings.written == [])
      #expect(findings.devices == [])
      #expect(findings.done == [])
      #expect(findings.strangers == [])
      for (name, value) in findings.status where name.hasPrefix("Cap") {
        #expect(value == "0000000000000000", "\(name)")
      }
      #expect(findings.status["NoNewPrivs"] == "1")
      #expect(findings.status["Seccomp"] == "2")
    }

    @Test(
      "all that the daemon does in its life it may do: a refused call would end it",
      arguments: Guest.suites)
    func suffices(suite: String) throws {
      let packaged = try PackagedGuest.shared(suite)
      let guest = packaged.guest
      let folder = "/run/systemd/system/touchgridd.service.d"
      try guest.run(
        """
        mkdir -p \(folder)
        printf '[Service]\\nSystemCallErrorNumber=kill\\n' >\(folder)/kill.conf
        systemctl daemon-reload && systemctl restart touchgridd
        """)
      defer {
        _ = try? guest.run(
          "rm -r \(folder); systemctl daemon-reload; systemctl restart touchgridd")
      }
      let before = try guest.run("systemctl show -P MainPID,NRestarts touchgridd")
      var gestures = Gestures(on: .panel(width: 1024, height: 768))
      gestures.tap(at: (20, 20))
      try packaged.play(gestures.recording)
      try guest.run(
        """
        touchgrid status && touchgrid session end && touchgrid sessions &&
        touchgrid heatmap && systemctl reload touchgridd && touchgrid status
        """)
      #expect(try guest.run("systemctl show -P MainPID,NRestarts touchgridd") == before)
      // Its end and the next start, where the store is there already.
      try guest.run("systemctl restart touchgridd && touchgrid status")
      #expect(try guest.run("systemctl show -P Result touchgridd") == "success\n")
    }
  }
}
