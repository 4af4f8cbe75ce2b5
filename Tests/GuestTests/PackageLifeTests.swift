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

    private func taps(_ count: Int) -> Recording {
      var gestures = Gestures(on: .panel(width: 1024, height: 768))
      for number in 0..<Int32(count) {
        gestures.tap(at: (16 * (number % 60) + 8, 16 * (number / 60) + 8))
        gestures.wait(100_000)
      }
      return gestures.recording
    }

    /// Plays a recording in the background, as a systemd unit.
    private func play(
      _ recording: Recording, as unit: String, _ options: String = "", in packaged: PackagedGuest
    ) throws {
      try recording.evemuText.write(
        to: packaged.guest.share.appending(path: "\(unit).evemu"), atomically: true,
        encoding: .utf8)
      try packaged.guest.run(
        "systemd-run --quiet --unit=\(unit) touchgrid play /host/\(unit).evemu \(options)")
    }

    private func waitFor(_ condition: String, in guest: Guest) throws {
      try guest.run("for i in $(seq 600); do \(condition) && exit 0; sleep 0.5; done; exit 1")
    }

    @Test(arguments: Guest.suites)
    func `Members of the group may read, and others are told which group they lack`(suite: String)
      throws
    {
      let packaged = try PackagedGuest.shared(suite)
      let guest = packaged.guest
      func asNobody(in group: String, _ command: String) throws -> Command {
        try guest.attempt("setpriv --reuid=nobody --regid=nogroup --groups=\(group) \(command)")
      }
      try packaged.play(taps(5))
      let status = try asNobody(in: "touchgrid-read", "touchgrid status")
      #expect(status.status == 0 && status.output.contains("5 touches"))
      let heatmap = try asNobody(in: "touchgrid-read", "touchgrid heatmap --live")
      #expect(heatmap.status == 0 && heatmap.output.contains("taps"))
      let stranger = try asNobody(in: "nogroup", "touchgrid status")
      #expect(stranger.status == 1)
      #expect(stranger.errors.contains("touchgrid-read") && stranger.errors.contains("usermod"))
      try guest.run("touchgrid end-session")
    }

    @Test(arguments: Guest.suites)
    func `Python's varlink and varlinkctl can introspect and call every method`(suite: String)
      throws
    {
      let packaged = try PackagedGuest.shared(suite)
      let guest = packaged.guest
      try play(taps(1), as: "panel", "--start-after 600", in: packaged)
      try waitFor("touchgrid displays --json | grep -q '\"name\"'", in: guest)
      let calls = """
        GetStatus {}
        GetDevices {}
        GetDisplays {}
        SetDisplay {"name":"DISPLAY","rotation":90}
        SetDisplay {"name":"DISPLAY","rotation":0}
        SetScreen {"name":"menu"}
        GetScreen {}
        BeginSession {"tags":{"build":"1.4"}}
        TagSession {"tags":{"place":"hall"}}
        Pause {"durationMs":1000}
        Resume {"all":true}
        AddMask {"mask":{"screen":"pin","rectangle":{"x":0,"y":0,"width":9,"height":9.5}}}
        GetMasks {}
        RemoveMask {"mask":{"screen":"pin","rectangle":{"x":0,"y":0,"width":9,"height":9.5}}}
        GetGrids {"live":true}
        EndSession {}
        ListSessions {}
        ListScreens {"span":{"sinceAtMs":0}}
        GetGrids {"layer":"trail","screen":"menu"}
        """
      var clients = ["python3 call.py \"$method\" \"$parameters\""]
      if try guest.attempt("command -v varlinkctl").status == 0 {
        try guest.run(
          """
          varlinkctl info /run/touchgrid/io.touchgrid | grep -q touchgridd &&
          varlinkctl introspect /run/touchgrid/io.touchgrid io.touchgrid >/tmp/description &&
          varlinkctl validate-idl /tmp/description && grep -q WatchTouches /tmp/description
          """)
        clients.append(
          "varlinkctl call /run/touchgrid/io.touchgrid \"io.touchgrid.$method\" \"$parameters\"")
      }
      for client in clients {
        try guest.run(
          """
          display=$(touchgrid displays --json |
            python3 -c 'import json, sys; print(json.load(sys.stdin)["displays"][0]["name"])')
          while read -r method parameters; do
            parameters=$(echo "$parameters" | sed "s/DISPLAY/$display/")
            \(client) >/tmp/reply 2>&1 || { echo "$method: $(cat /tmp/reply)"; exit 1; }
          done <<'END'
          \(calls)
          END
          """)
      }
      try guest.run("systemctl stop panel")
    }

    @Test(arguments: Guest.suites)
    func `A service stopped, restarted and killed under load closes every session`(suite: String)
      throws
    {
      let packaged = try PackagedGuest.shared(suite)
      let guest = packaged.guest
      try guest.run("systemctl stop touchgridd; rm -f /var/lib/touchgrid/*")
      try guest.run("systemctl start touchgridd")
      try play(taps(200), as: "load", in: packaged)
      let counts =
        "touchgrid status --json | grep -Eq '\"counted\" ?: ?([3-9]|[1-9][0-9])'"
      try waitFor(counts, in: guest)
      try guest.run("systemctl restart touchgridd")
      try waitFor(counts, in: guest)
      // The daemon is killed after a checkpoint, and systemd starts it again.
      try guest.run("sleep 6; systemctl kill -s KILL touchgridd")
      try waitFor(counts, in: guest)
      try guest.run("systemctl stop touchgridd load")
      let sessions = try packaged.store().sessions(in: .always).map(\.record)
      #expect(sessions.map(\.end) == [.stopped, .recovered, .stopped])
      #expect(sessions.allSatisfy { $0.totals.isBalanced && $0.totals.counted >= 3 })
      #expect(sessions.allSatisfy { $0.totals.stillDown == 0 || $0.end == .recovered })
      try guest.run("systemctl start touchgridd")
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
      let guest = try Guest(suite: Guest.suites.first, kept: "kept")
      let packaged = try PackagedGuest(on: guest)
      try packaged.install()
      try play(taps(200), as: "load", in: packaged)
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
