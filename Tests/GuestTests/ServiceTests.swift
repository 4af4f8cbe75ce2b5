import Foundation
import Storage
import TestSupport
import Testing
import TouchModel

extension DeviceGuestTests {
  @Suite struct Service {
    @Test func `Under systemd, the sandboxed daemon records a panel that is plugged in`() throws {
      let test = try GuestCase("service")
      try FileManager.default.copyItem(
        at: URL(filePath: Project.path("systemd")),
        to: test.folder.appending(path: "systemd"))
      var gestures = Gestures(on: .panel(width: 1024, height: 768))
      gestures.tap(at: (20, 20))
      let file = try test.write(gestures.recording, as: "recording.evemu")
      try test.guest.run(
        """
        cp /usr/local/bin/touchgridd /usr/bin/ && rm -rf /var/lib/touchgrid/*
        cd \(test.path)/systemd
        cp touchgridd.service touchgridd.socket /run/systemd/system/
        systemd-sysusers $PWD/touchgrid.sysusers
        systemd-analyze verify /run/systemd/system/touchgridd.* || exit 1
        mkdir -p /etc/touchgrid && : >/etc/touchgrid/touchgridd.toml
        systemctl daemon-reload && systemctl start touchgridd || exit 1
        for i in $(seq 100); do journalctl -u touchgridd | grep -q ready && break; sleep 0.5; done
        touchgrid play \(file) --start-after 2 || exit 1
        systemctl stop touchgridd || exit 1
        rm -r /etc/touchgrid
        cp /var/lib/touchgrid/touchgrid.db* \(test.path)/
        """)
      let store = try Store(reading: test.folder.appending(path: "touchgrid.db").path)
      let session = try store.onlySession().record
      #expect(session.totals.counted == 1)
      #expect(session.end == .stopped)
    }

    @Test func `Without a monitor, a masked rectangle covers its whole screen`() throws {
      let test = try GuestCase("guessed-size")
      try test.start(
        configuration: "[[mask]]\nscreen = \"default\"\nx = 0\ny = 0\nwidth = 9\nheight = 9\n")
      var gestures = Gestures(on: .panel(width: 1024, height: 768))
      for x in [200, 400, 600, 800] as [Int32] { gestures.tap(at: (x, 700)) }
      try test.play(gestures.recording)
      try test.waitForLog("so these screens are masked as a whole: default")
      let totals = try test.stop().onlySession().record.totals
      #expect([totals.begun, totals.counted, totals.masked] == [4, 0, 4])
    }
  }
}
