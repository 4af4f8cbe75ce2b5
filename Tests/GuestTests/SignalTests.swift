import Foundation
import Testing

extension DesktopGuestTests {
  /// The user units of docs/signals.md, with the systemd of a user, on sway.
  @Suite struct Signals {
    @Test func `Without touches the attract loop starts; a touch ends it`() throws {
      let desktop = try OverlayGuest.shared()
      try desktop.plug()
      defer { try? desktop.unplug() }
      // The units as they are, but with shorter times, and a window in place of the video.
      try desktop.guest.run(
        """
        cd /usr/share/doc/touchgrid/examples/signals || exit 1
        home=/home/demo/.config/systemd/user
        install -D -o demo -t /home/demo/.local/bin touchgrid-attract || exit 1
        install -d -o demo /home/demo/.config /home/demo/.config/systemd $home || exit 1
        for unit in touchgrid-attract attract-loop; do
          sed 's/--idle [0-9]*[sm]/--idle 5s/; s,/usr/bin/mpv .*,/usr/bin/wev,' $unit.service >$home/$unit.service
        done
        """)
      func user(_ words: String) throws -> Command {
        try desktop.asUser("systemctl --user \(words)")
      }
      let isLooping = "\(OverlayGuest.user) systemctl --user -q is-active attract-loop"
      #expect(try user("set-environment WAYLAND_DISPLAY=wayland-1").status == 0)
      defer {
        _ = try? user("stop touchgrid-attract attract-loop")
        _ = try? user("unset-environment WAYLAND_DISPLAY")
        _ = try? desktop.guest.run("rm -r /home/demo/.config/systemd/user /home/demo/.local/bin")
        _ = try? user("daemon-reload")
      }
      #expect(try user("daemon-reload").status == 0)
      #expect(try user("start touchgrid-attract").status == 0)

      for _ in 0..<2 {
        try desktop.touch("down 0 200 400", "up 0")
        try desktop.waitUntil("! \(isLooping)")
        try desktop.waitUntil(isLooping)
      }
      // The service waits on while the daemon restarts.
      try desktop.guest.run("systemctl restart touchgridd")
      try desktop.waitUntil("touchgrid devices --json | grep -q '\"node\"'")
      try desktop.touch("down 0 200 400", "up 0")
      try desktop.waitUntil("! \(isLooping)")
    }
  }
}
