import Foundation
import Storage
import Testing
import TouchModel

extension PackagedGuestTests {
  /// `touchgrid calibrate` and `touchgrid panel test`, at a panel that is bent in known ways.
  @Suite struct PackagePanel {
    /// Starts the service with a configuration, without anything recorded.
    private func start(_ packaged: PackagedGuest, _ configuration: String) throws {
      try packaged.startAfresh()
      try configuration.write(
        to: packaged.guest.share.appending(path: "bent.toml"), atomically: true, encoding: .utf8)
      try packaged.guest.run(
        "cp bent.toml \(Guest.configuration) && systemctl restart touchgridd")
    }

    private func stop(_ packaged: PackagedGuest) throws -> Store {
      try packaged.guest.run("systemctl stop touchgridd")
      return try packaged.store()
    }

    @Test(arguments: Guest.suites)
    func `The matrix of a bent panel is found within 0.5 % and counts touches where they are`(
      suite: String
    ) throws {
      let matrix = "0.03 -1.05 1.02 0.96 0.02 -0.01"
      let packaged = try PackagedGuest.shared(suite)
      let guest = packaged.guest
      let before = """
        # ours
        [[display]]
        name = "K" # the kiosk
        width = 1920
        height = 1080
        rotation = 90

        [[device]]
        match = "Bent*" # ours

        """
      try start(packaged, before)
      let run = try guest.attempt("python3 bent.py calibrate 90 \(matrix)", timeout: 900)
      #expect(run.status == 0, "\(run.output)\n\(run.errors)")
      let written = try guest.run("cat \(Guest.configuration)")
      #expect(written.hasPrefix(before), "\(written)")
      let lines = written.split(separator: "\n")
      let line = try #require(lines.last)
      #expect(line.hasPrefix("calibration = \""))
      let found = try #require(CalibrationMatrix(line.dropFirst(15).dropLast()))
      let wanted = try #require(CalibrationMatrix(matrix))
      for (left, right) in zip(found.values, wanted.values) {
        #expect(abs(left - right) <= 0.005, "\(found.text)")
      }
      #expect(run.output.contains("ENV{LIBINPUT_CALIBRATION_MATRIX}=\"\(found.text)\""))
      let store = try stop(packaged)
      // The crosses were not recorded, and the touch after them lies where the person touched.
      let sessions = try store.sessions(in: .always).map(\.record)
      #expect(sessions.map(\.totals.begun) == [1])
      let grid = try #require(
        try store.grids(screen: "calibrated", layer: .taps, in: .always).first)
      let geometry = grid.key.geometry
      let place = Point(x: 0.305 * geometry.width, y: 0.705 * geometry.height)
      #expect(grid.sum[geometry.index(of: geometry.block(at: place))] == 1)
      try guest.run("systemctl start touchgridd")
    }

    private struct Result: Decodable {
      struct Step: Decodable {
        struct Place: Decodable {
          var xMm: Double
        }
        var step: String
        var breaks: Int
        var largestGapAt: Place?
      }
      struct Device: Decodable {
        var name: String
        var widthMm: Double
      }
      var verdict: String
      var device: Device
      var steps: [Step]
    }

    @Test(arguments: Guest.suites)
    func `The test of a panel finds a known fault at its place, and records nothing`(suite: String)
      throws
    {
      let packaged = try PackagedGuest.shared(suite)
      let guest = packaged.guest
      try start(packaged, "# ours\n")
      let run = try guest.attempt("python3 bent.py test 6 100", timeout: 1800)
      #expect(run.status == 0, "\(run.output)\n\(run.errors)")
      #expect(run.output.contains("status 1") && run.output.contains("FAILED"))
      let result = try JSONDecoder().decode(
        Result.self, from: Data(contentsOf: guest.share.appending(path: "bent.json")))
      #expect(result.verdict == "failed")
      #expect(result.device.name == "Bent panel" && result.device.widthMm == 320)
      for step in result.steps where step.step.hasPrefix("across") {
        #expect(step.breaks == 1 && (step.largestGapAt.map { abs($0.xMm - 100) < 2 } ?? false))
      }
      #expect(result.steps.filter { $0.step.hasPrefix("down") }.allSatisfy { $0.breaks == 0 })
      #expect(try stop(packaged).sessions(in: .always).isEmpty)
      try guest.run("systemctl start touchgridd")
    }
  }
}
