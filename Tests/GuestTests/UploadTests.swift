import Foundation
import TestSupport
import Testing

extension PackagedGuestTests {
  /// The package touchgrid-upload beside the daemon, under systemd, in the full sandbox.
  @Suite struct Upload {
    /// Installs both packages, records a session, and adds 40 of five earlier days.
    private func packaged(_ suite: String) throws -> PackagedGuest {
      let packaged = try PackagedGuest(on: Guest(suite: suite, clock: .instructionsAndIdle))
      let guest = packaged.guest
      try packaged.install()
      try guest.takePackages("touchgrid-upload")
      try packaged.install("touchgrid-upload.deb")
      var gestures = Gestures(on: .panel(width: 1024, height: 768))
      for x: Int32 in [20, 300, 700] { gestures.tap(at: (x, 400)) }
      try packaged.play(gestures.recording)
      try guest.run(
        """
        systemctl stop touchgridd
        cd /var/lib/touchgrid && python3 /host/past.py touchgrid.db add 40 20
        chown touchgrid:touchgrid /var/lib/touchgrid/*
        systemctl start touchgridd
        """)
      return packaged
    }

    private func objects(_ guest: Guest) throws -> [String] {
      try guest.run("cd /srv/fleet && find in -name '*.gz' | sort").split(separator: "\n")
        .map { String($0) }
    }

    @Test(arguments: Guest.suites)
    func `The timer's service sends each day once, and a forgotten day again`(
      suite: String
    ) throws {
      let guest = try packaged(suite).guest
      defer { try? guest.cut() }
      #expect(try guest.run("systemctl is-enabled touchgrid-upload.timer || true") == "disabled\n")
      try expectHardened(guest)
      try guest.run(
        """
        install -d -o touchgrid-upload -g touchgrid-upload -m 2750 /srv/fleet
        echo TARGET=/srv/fleet >>/etc/touchgrid/upload.conf
        mkdir -p /etc/systemd/system/touchgrid-upload.service.d
        printf '[Service]\\nReadWritePaths=-/srv/fleet\\n' \
          >/etc/systemd/system/touchgrid-upload.service.d/folder.conf
        systemctl daemon-reload && systemctl start touchgrid-upload
        """)
      let first = try objects(guest)
      #expect(first.count == 5)
      #expect(try guest.run("touchgrid status").contains("every day was sent"))
      // What arrived is what the store has.
      try guest.run(
        """
        touchgrid import /srv/fleet -o /root/fleet.db
        touchgrid export --store /root/fleet.db -o /root/sent
        touchgrid export --until yesterday -o /root/kept
        rm /root/sent/*/sessions.* /root/kept/*/sessions.*
        diff -r /root/sent /root/kept
        """)

      let day = String(first[2].split(separator: "/")[3])
      try guest.run("touchgrid forget --since \(day) --until \(day) --yes")
      try guest.run("systemctl start touchgrid-upload")
      let second = try objects(guest)
      #expect(second.count == 6)
      #expect(second.contains { $0.contains("/\(day)/") && !first.contains($0) })
    }

    private func expectHardened(_ guest: Guest) throws {
      let units = "touchgrid-export.service touchgrid-upload.service touchgrid-upload.timer"
      let words = try guest.attempt("systemd-analyze verify --man=no \(units)")
      #expect(words.status == 0 && words.output + words.errors == "", "\(words)")
      for (unit, most) in [("touchgrid-export", 1.0), ("touchgrid-upload", 2.0)] {
        let verdict = try guest.run("systemd-analyze security \(unit) | tail -n 1")
        let exposure = verdict.split(separator: " ").lazy.compactMap { Double($0) }.first
        #expect(try #require(exposure) <= most, "\(verdict)")
      }
    }
  }
}
