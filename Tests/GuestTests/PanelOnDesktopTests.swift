import Foundation
import Testing
import TouchModel

extension DesktopGuestTests {
  /// `touchgrid calibrate` and `touchgrid clean` as root, on the desktop of a user.
  @Suite struct PanelOnDesktop {
    @Test func `The overlay draws the crosses, and the app gets no touch of them`() throws {
      let desktop = try OverlayGuest.shared()
      let guest = desktop.guest
      try guest.run(": >/run/app.log")
      let bend = "1.08 0.02 -0.05 -0.03 0.94 0.04"
      let run = try guest.attempt("python3 bent.py crosses \(bend)", timeout: 900)
      #expect(run.status == 0, "\(run.output)\n\(run.errors)")
      let line = try #require(
        run.output.split(separator: "\n").first { $0.hasPrefix("matrix: ") }, "\(run.output)")
      let found = try #require(CalibrationMatrix(line.dropFirst(8)))
      let wanted = try #require(CalibrationMatrix(bend))
      for (left, right) in zip(found.values, wanted.values) {
        #expect(abs(left - right) <= 0.005, "\(found.text)")
      }
      #expect(try !guest.run("cat /run/app.log").contains("wl_touch] down"))
      // The overlay has ended with the command.
      #expect(try guest.attempt("pgrep -f '[t]ouchgrid-overlay --scenes'").status != 0)
    }

    @Test(arguments: [0, 24])
    func `While the glass is wiped the app gets no touch, and dead lines are told`(dead: Int)
      throws
    {
      let desktop = try OverlayGuest.shared()
      let guest = desktop.guest
      try guest.run(": >/run/app.log")
      let count = """
        touchgrid sessions --json | grep -o '"totals":.*' | grep -o '"counted":[0-9]*'
        """
      let before = try guest.attempt(count).output
      let run = try guest.attempt("python3 bent.py wipe \(dead)", timeout: 900)
      let lines =
        dead == 0
        ? "" : #"{"count":64,"direction":"vertical","edge":"left","first":24,"last":24}"#
      #expect(run.output == #"{"deadLines":[\#(lines)],"isComplete":true}"# + "\n", "\(run.errors)")
      #expect(try !guest.run("cat /run/app.log").contains("wl_touch] down"))
      // No grid has a touch of the wipe, and the app has its touches again.
      #expect(try guest.attempt(count).output == before)
      try desktop.plug()
      defer { try? desktop.unplug() }
      try desktop.touch("down 0 200 400", "up 0")
      #expect(try desktop.events(untilLiftOf: 0).map(\.kind) == ["down", "up"])
    }

    @Test func `Members of the group close the glass by a connection, and no other users`() throws {
      let desktop = try OverlayGuest.shared()
      let guest = desktop.guest
      try desktop.plug()
      defer {
        _ = try? guest.run("systemctl stop touchgrid-clean.socket")
        try? desktop.unplug()
      }
      #expect(
        try guest.attempt("systemctl is-enabled touchgrid-clean.socket").output == "disabled\n")
      try guest.run(
        """
        systemctl start touchgrid-clean.socket
        cat >/run/clean.py <<'END'
        import socket, subprocess, time
        client = socket.socket(socket.AF_UNIX)
        client.connect("/run/touchgrid-clean")
        while subprocess.run(["pgrep", "-f", "[t]ouchgrid-overlay --scenes"]).returncode:
            time.sleep(0.1)
        time.sleep(2)
        client.sendall(b"\\n")
        print(client.makefile().read(), end="")
        END
        """)
      let cleaning = try desktop.asUser("python3 /run/clean.py")
      #expect(
        cleaning.output.hasSuffix(#"{"deadLines":[],"isComplete":false}"# + "\n"),
        "\(cleaning.errors)")
      let other = try guest.attempt("setpriv --reuid=nobody --clear-groups python3 /run/clean.py")
      #expect(other.errors.contains("PermissionError"))
    }
  }
}
