import Foundation
import Testing
import TouchModel

extension DesktopGuestTests {
  /// `touchgrid calibrate` as root, with crosses on the desktop of a user.
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
  }
}
