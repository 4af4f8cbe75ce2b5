import Foundation
import TestSupport
import Testing

extension PackagedGuestTests {
  /// The package touchgrid-mqtt beside the daemon, under systemd, in the full sandbox. It finds no
  /// broker here; `Tests/Apps/test_mqtt.py` has one.
  @Suite struct HomeAssistant {
    @Test(arguments: Guest.suites)
    func `The services count and pause in their sandboxes, and a purge removes their files`(
      suite: String
    ) throws {
      let packaged = try PackagedGuest.shared(suite)
      try packaged.startAfresh()
      let guest = packaged.guest
      try guest.run(Guest.setUp)
      try guest.takePackages("touchgrid-mqtt", "python3-touchgrid")
      try packaged.install("touchgrid-mqtt.deb ./python3-touchgrid.deb")
      #expect(try guest.run("systemctl is-enabled touchgrid-mqtt || true") == "disabled\n")
      try expectHardened(guest)

      var gestures = Gestures(on: .panel(width: 1024, height: 768))
      for x: Int32 in [20, 300] { gestures.tap(at: (x, 400)) }
      try packaged.play(gestures.recording)
      // The file is what the service leaves while Home Assistant pauses recording.
      try guest.run(
        """
        cd /etc/touchgrid
        printf '[broker]\\nhost = "localhost"\\nusername = "kiosk"\\n' >mqtt.toml
        install -m 600 /dev/null mqtt.password
        echo secret >mqtt.password
        touchgrid-mqtt --check
        install -d -o touchgrid-mqtt -g touchgrid-mqtt -m 700 /var/lib/touchgrid-mqtt
        touch /var/lib/touchgrid-mqtt/paused
        systemctl start touchgrid-mqtt
        """)
      try wait(guest, "touchgrid status --json | grep -Eq '\"pauses\": ?1\\b'")
      let words = "localhost, port 8883 cannot be reached"
      try wait(guest, "journalctl -u touchgrid-mqtt | grep -q '\(words)'")
      let counts = "/run/touchgrid-mqtt-counts/counts.json"
      try wait(guest, "[ -e \(counts) ]")
      #expect(
        try guest.run("stat -c '%A %U:%G' \(counts)") == "-rw-r----- touchgrid:touchgrid-mqtt\n")
      let text = try guest.run("runuser -u touchgrid-mqtt -- cat \(counts)")
      #expect(text.contains("\"sessions\": 1, \"touches\": 2, \"store\": \"good\""), "\(text)")

      #expect(try guest.run("systemctl is-active touchgrid-mqtt-counts.timer") == "active\n")
      try guest.run("systemctl stop touchgrid-mqtt")
      #expect(
        try guest.run("systemctl is-active touchgrid-mqtt-counts.timer || true") == "inactive\n")
      try wait(guest, "touchgrid status --json | grep -Eq '\"pauses\": ?0\\b'")
      try guest.run(
        """
        DEBIAN_FRONTEND=noninteractive apt-get -qqy -o Dpkg::Use-Pty=0 purge touchgrid-mqtt python3-touchgrid
        [ -e /etc/touchgrid/touchgridd.toml ]
        ! ls -d /etc/touchgrid/mqtt.* /var/lib/touchgrid-mqtt /run/touchgrid-mqtt-counts \
          /usr/share/touchgrid-mqtt
        """)
    }

    private func wait(_ guest: Guest, _ condition: String) throws {
      let script = "until \(condition); do sleep 0.2; done"
      try guest.run("timeout 60 sh -c '\(script.replacing("'", with: "'\\''"))'")
    }

    private func expectHardened(_ guest: Guest) throws {
      let units = "touchgrid-mqtt.service touchgrid-mqtt-counts.service touchgrid-mqtt-counts.timer"
      let words = try guest.attempt("systemd-analyze verify --man=no \(units)")
      #expect(words.status == 0 && words.output + words.errors == "", "\(words)")
      for (unit, most) in [("touchgrid-mqtt-counts", 1.0), ("touchgrid-mqtt", 2.0)] {
        let verdict = try guest.run("systemd-analyze security \(unit) | tail -n 1")
        let exposure = verdict.split(separator: " ").lazy.compactMap { Double($0) }.first
        #expect(try #require(exposure) <= most, "\(verdict)")
      }
    }
  }
}
