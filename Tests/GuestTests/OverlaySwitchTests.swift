import Foundation
import Testing

extension DesktopGuestTests {
  /// `touchgrid overlay` with the systemd of a user, and the overlay from its package.
  @Suite struct OverlaySwitch {
    private static let process = "pgrep -x -u demo touchgrid-overl"

    @Test func `on, off, toggle and status work, and off leaves nothing`() throws {
      let desktop = try OverlayGuest.shared()
      #expect(try desktop.overlay("off").status == 0)
      let off = try desktop.overlay("status")
      #expect(off.status == 3 && off.output == "The overlay is off.\n")
      #expect(try desktop.overlay("status --json").output == #"{"isOn":false}"# + "\n")
      let empty = try desktop.picture()

      let options = #"--ring --diameter 60 --monitor 'a "$b" \ é=HEADLESS-1'"#
      #expect(try desktop.overlay("on \(options)").status == 0)
      let words = try desktop.guest.run("tr '\\0' '\\n' </proc/$(\(Self.process))/cmdline")
      #expect(
        words.split(separator: "\n").dropFirst() == [
          "--diameter", "60", "--ring", "--monitor", #"a "$b" \ é=HEADLESS-1"#,
        ])
      let on = try desktop.overlay("status --json")
      #expect(on.status == 0 && on.output.contains(#""isOn":true,"options":["--diameter","60""#))
      let sheet = try desktop.overlay("status").output
      for word in [
        "The overlay is on\n", "  since ", "  message ", "  options   --diameter 60 --ring",
      ] {
        #expect(sheet.contains(word), "\(sheet)")
      }

      let before = try desktop.guest.run(Self.process)
      #expect(try desktop.overlay("on \(options)").status == 0)
      #expect(try desktop.guest.run(Self.process) == before)
      #expect(try desktop.overlay("on").status == 0)
      #expect(try desktop.guest.run(Self.process) != before)
      #expect(try desktop.overlay("status").output.contains("options   none"))

      let toggled = try desktop.overlay("toggle")
      #expect(toggled.status == 0 && toggled.output == "The overlay is off.\n")
      #expect(try desktop.overlay("toggle --trail").output.hasPrefix("The overlay is on"))
      #expect(try desktop.overlay("off").output == "The overlay is off.\n")
      #expect(try desktop.guest.attempt(Self.process).status == 1)
      #expect(try desktop.guest.attempt("ls /run/user/1000/touchgrid-overlay").status == 2)
      #expect(try desktop.picture() == empty)
    }

    @Test func `A killed overlay is restarted with its options`() throws {
      let desktop = try OverlayGuest.shared()
      #expect(try desktop.overlay("on --trail").status == 0)
      let before = try desktop.guest.run(Self.process).trimmingCharacters(in: .newlines)
      try desktop.guest.run("kill -9 \(before)")
      try desktop.waitUntil("\(Self.process) | grep -qv '^\(before)$'")
      try desktop.waitUntil("\(OverlayGuest.user) systemctl --user -q is-active touchgrid-overlay")
      #expect(try desktop.overlay("status").output.contains("options   --trail"))
      let enabled = try desktop.asUser("systemctl --user is-enabled touchgrid-overlay")
      #expect(enabled.output == "static\n")
    }

    @Test
    func `Switching the overlay on with other options while it ends restarts it with them`() throws
    {
      let desktop = try OverlayGuest.shared()
      #expect(try desktop.overlay("on --trail").status == 0)
      // The suspended overlay does not end, so systemd waits for it until a timeout.
      try desktop.guest.run(
        """
        kill -STOP $(\(Self.process))
        \(OverlayGuest.user) systemctl --user --no-block stop touchgrid-overlay
        """)
      let on = try desktop.overlay("on --ring")
      #expect(on.status == 0 && on.output.hasPrefix("The overlay is on"), "\(on.errors)")
      #expect(try desktop.overlay("status").output.contains("options   --ring\n"))
      let file = try desktop.guest.run("cat /run/user/1000/touchgrid-overlay/environment")
      #expect(file.contains("--ring") && file.contains("wayland-1"))
    }

    @Test func `Two simultaneous toggles switch the overlay on and off`() throws {
      let desktop = try OverlayGuest.shared()
      #expect(try desktop.overlay("off").status == 0)
      let words = try desktop.guest.run(
        "for i in 1 2; do \(OverlayGuest.user) touchgrid overlay toggle & done; wait")
      let lines = words.split(separator: "\n")
      #expect(lines.count == 2, "\(words)")
      #expect(lines.first?.hasPrefix("The overlay is on") == true, "\(words)")
      #expect(lines.last == "The overlay is off.", "\(words)")
      #expect(try desktop.guest.attempt(Self.process).status == 1)
    }

    @Test func `Removing the package ends the overlay`() throws {
      let desktop = try OverlayGuest.shared()
      #expect(try desktop.overlay("on").status == 0)
      let apt = "DEBIAN_FRONTEND=noninteractive apt-get -qqy -o Dpkg::Use-Pty=0"
      try desktop.guest.run("\(apt) remove touchgrid-overlay")
      #expect(try desktop.guest.attempt(Self.process).status == 1)
      let on = try desktop.overlay("on")
      #expect(on.status == 1)
      #expect(on.errors.contains("install the package touchgrid-overlay"), "\(on.errors)")
      try desktop.guest.run("\(apt) install ./touchgrid-overlay.deb")
    }

    @Test(arguments: ["touchgrid-overlay", "touchgrid-guard", "touchgrid-follow"])
    func `systemd accepts the units of users without warnings`(unit: String) throws {
      let desktop = try OverlayGuest.shared()
      let words = try desktop.asUser("systemd-analyze --user verify \(unit).service")
      #expect(words.status == 0)
      #expect(words.output + words.errors == "")
      let lines = try desktop.asUser("systemd-analyze --user security \(unit)").output
      let verdict = lines.split(separator: "\n").last ?? ""
      let exposure = verdict.split(separator: " ").lazy.compactMap { Double($0) }.first
      // The commands of the guard's options need more than the other two.
      #expect(try #require(exposure) <= (unit == "touchgrid-guard" ? 6 : 5.5), "\(verdict)")
    }

    @Test func `The overlay ends with the graphical session`() throws {
      let desktop = try OverlayGuest.shared()
      try desktop.guest.run(
        """
        mkdir -p /run/user/1000/systemd/user
        printf '[Unit]\\nBindsTo=graphical-session.target\\n' \
          >/run/user/1000/systemd/user/desktop.target
        """)
      let start = try desktop.asUser("systemctl --user start desktop.target")
      #expect(start.status == 0, "\(start.errors)")
      #expect(try desktop.overlay("on").status == 0)
      let stop = try desktop.asUser("systemctl --user stop desktop.target")
      #expect(stop.status == 0, "\(stop.errors)")
      try desktop.waitUntil("! \(Self.process)")
      let status = try desktop.overlay("status")
      #expect(status.status == 3 && status.output == "The overlay is off.\n")
    }

    @Test func `The overlay ends with the compositor and reports it`() throws {
      let desktop = try OverlayGuest.shared()
      #expect(try desktop.overlay("on").status == 0)
      #expect(try desktop.asUser("systemctl --user stop sway").status == 0)
      try desktop.waitUntil("! \(Self.process)")
      // The overlay stays off: systemd does not start it again.
      try desktop.guest.run("sleep 2; ! \(Self.process)")
      let status = try desktop.overlay("status")
      #expect(status.status == 3)
      #expect(status.output == "The overlay is off: its desktop session has ended\n")
      let json = try desktop.overlay("status --json").output
      #expect(json == #"{"failure":"its desktop session has ended","isOn":false}"# + "\n")
      try desktop.showDesktop()
    }
  }
}
