import Foundation
import Testing

extension DesktopGuestTests {
  /// touchgrid-follow from its package, as a service of the user of a sway desktop.
  @Suite struct Following {
    private func waitFor(screen: String, _ desktop: OverlayGuest) throws {
      try desktop.waitUntil("[ \"$(touchgrid get-screen)\" = \(screen) ]")
    }

    @Test
    func `The service names the shown window, even after a crash, and stops naming it`() throws {
      let desktop = try OverlayGuest.shared()
      let enabled = try desktop.asUser("systemctl --user is-enabled touchgrid-follow")
      #expect(enabled.output == "disabled\n", "\(enabled)")
      try desktop.plug()
      try desktop.guest.run(
        "\(OverlayGuest.user) systemctl --user set-environment WAYLAND_DISPLAY=wayland-1")
      let start = try desktop.asUser("systemctl --user start touchgrid-follow")
      #expect(start.status == 0, "\(start.errors)")
      try waitFor(screen: "wev", desktop)
      try desktop.touch("down 0 200 400", "up 0")
      try desktop.waitUntil("touchgrid screens --json | grep -q '\"screen\":\"wev\"'")

      let status = try desktop.asUser("systemctl --user show -P StatusText touchgrid-follow")
      // It reports both when they come to be, in any order.
      #expect(
        ["connected to the daemon\n", "following the Wayland compositor\n"].contains(status.output),
        "\(status)")
      let before = try desktop.asUser("systemctl --user show -P MainPID touchgrid-follow").output
      try desktop.guest.run("kill -SEGV \(before)")
      try desktop.waitUntil(
        "[ \"$(\(OverlayGuest.user) systemctl --user show -P NRestarts touchgrid-follow)\" = 1 ]")
      try desktop.guest.run("systemctl restart touchgridd")
      try waitFor(screen: "wev", desktop)

      let stop = try desktop.asUser("systemctl --user stop touchgrid-follow")
      #expect(stop.status == 0)
      try waitFor(screen: "default", desktop)
      try desktop.guest.run(
        "\(OverlayGuest.user) systemctl --user unset-environment WAYLAND_DISPLAY")
      try desktop.unplug()
    }
  }
}
