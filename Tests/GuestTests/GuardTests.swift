import Foundation
import Testing

extension DesktopGuestTests {
  /// The unit `touchgrid-guard` on sway, with a screen that is switched off and on, and touches of
  /// a kernel panel.
  @Suite struct Guard {
    /// How often the screen is woken.
    private static let rounds =
      ProcessInfo.processInfo.environment["TOUCHGRID_GUARD_ROUNDS"].flatMap { Int($0) } ?? 40

    /// Functions of sh. `dark` makes the screen dark and waits for the guard; `wait_for` waits for a
    /// condition; `touches` counts the touch-downs of the app at a place.
    private static func shell(_ socket: String) -> String {
      """
      as_user() { \(OverlayGuest.user) SWAYSOCK=\(socket) "$@"; }
      outputs() { as_user swaymsg -q "output * power $1" 2>/dev/null || as_user swaymsg -q "output * dpms $1"; }
      wait_for() { for i in $(seq 1200); do eval "$1" && return; sleep 0.05; done; echo "not in time: $1" >&2; exit 1; }
      status() { as_user systemctl --user show -p StatusText --value touchgrid-guard; }
      dark() { outputs off; wait_for 'status | grep -q "is dark"'; }
      lit() { wait_for 'status | grep -q "reach the app"'; }
      touches() { grep -c "touch\\] down.*x, y: $1" /run/app.log; }
      panel() { printf '%s\\n' "$@" >/run/panel; }
      totals() {
        touchgrid sessions --json | python3 -c \
          'import json, sys; all = json.load(sys.stdin)["totals"]; print(all["counted"], all["swallowed"])'
      }

      """
    }

    @Test func `No waking touch reaches the app, and no other touch is lost`() throws {
      let desktop = try OverlayGuest(hasScreen: true)
      try desktop.plug()
      defer { try? desktop.unplug() }
      let socket = try desktop.guest.run("ls /run/user/1000/sway-ipc.*").trimmingCharacters(
        in: .newlines)
      let shell = Self.shell(socket)
      func user(_ words: String) throws -> Command {
        try desktop.asUser("systemctl --user \(words)")
      }
      #expect(try user("set-environment WAYLAND_DISPLAY=wayland-1").status == 0)
      #expect(try user("is-enabled touchgrid-guard").output == "disabled\n")
      #expect(try user("start touchgrid-guard").status == 0)

      // The places are in units of the panel, of which the app's window has half as many.
      let count = Self.rounds
      let added = try desktop.guest.run(
        shell + """
          set -- $(totals)
          for n in $(seq \(count)); do
            dark
            # Every fourth waking touch has two fingers, of which one slides.
            if [ $((n % 4)) = 0 ]; then
              panel 'down 0 200 200' 'down 1 240 200' 'move 1 600 200' 'up 0' 'up 1'
            else
              panel 'down 0 200 200' 'up 0'
            fi
            lit
            # Touches in one place might be taken for ghosts.
            panel "down 0 800 $((600 + n % 9 * 90))" 'up 0'
            wait_for '[ $(touches 400) = '$n' ]'
          done
          # Touches are counted once no late name of a screen can concern them.
          sleep 1
          for total in $(totals); do echo $((total - $1)); shift; done
          """, timeout: 600 + 20 * count)
      // Of the touches that the app did not get, none is in a grid.
      #expect(added == "\(count)\n\(count + count / 4)\n")
      let log = try desktop.guest.run("grep -E 'touch. (down|motion)' /run/app.log")
      let places = log.split(separator: "\n").filter { $0.contains("x, y:") }
      #expect(places.count == count, "\(places.prefix(5))")
      #expect(places.allSatisfy { $0.contains("x, y: 400") })

      // Killed in the dark, it closes the glass no longer. systemd starts it again a second later.
      let slowest = try desktop.guest.run(
        shell + """
          slowest=0
          for n in $(seq \(max(10, count / 20))); do
            dark
            before=$(touches 300)
            as_user systemctl --user kill -s KILL touchgrid-guard
            start=$(date +%s%N)
            while [ "$(touches 300)" = "$before" ]; do panel 'down 0 600 800' 'up 0'; sleep 0.03; done
            spent=$((($(date +%s%N) - start) / 1000000))
            [ $spent -lt $slowest ] || slowest=$spent
            outputs on
            wait_for 'as_user systemctl --user -q is-active touchgrid-guard'
            as_user systemctl --user reset-failed touchgrid-guard
            lit
          done
          echo $slowest
          """, timeout: 600 + 2 * count)
      let milliseconds = try #require(Int(slowest.trimmingCharacters(in: .newlines)))
      #expect(milliseconds < 1000)

      // At rest in the dark it never wakes up.
      let waited = try desktop.guest.run(
        shell + """
          # GLib ends threads that it has not used for 15 s, and their counts go with them.
          dark; sleep 20
          process=$(pgrep -x -u demo touchgrid-overl)
          switches() { cat /proc/$process/task/*/status | awk '/ctxt_switches/ { n += $2 } END { print n }'; }
          before=$(switches); sleep 20; echo $(($(switches) - before))
          outputs on
          """)
      #expect(waited == "0\n")
      #expect(try user("stop touchgrid-guard").status == 0)
    }
  }
}
