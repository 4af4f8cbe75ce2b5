import Storage
import TestSupport
import Testing
import TouchModel

extension DeviceGuestTests {
  /// Hits and misses of controls, touched on panels of the kernel.
  @Suite struct Controls {
    // However long a busy machine takes from one panel to the next, it is one session.
    private static let configuration = """
      [session]
      idle_timeout = "1h"
      [[device]]
      match = "Upright"
      display = "upright"
      [[device]]
      match = "Turned"
      display = "turned"
      [[display]]
      name = "upright"
      width = 1280
      height = 800
      width_mm = 320
      height_mm = 200
      [[display]]
      name = "turned"
      width = 1280
      height = 800
      rotation = 90
      width_mm = 320
      height_mm = 200
      [[control]]
      screen = "default"
      display = "upright"
      name = "pay"
      x = 1000
      y = 600
      width = 200
      height = 80
      [[control]]
      screen = "default"
      display = "upright"
      name = "pin"
      x = 100
      y = 100
      width = 100
      height = 100
      [[mask]]
      screen = "default"
      display = "upright"
      x = 80
      y = 80
      width = 140
      height = 140
      [[control]]
      screen = "default"
      display = "turned"
      name = "help"
      x = 20
      y = 1100
      width = 100
      height = 100
      """

    /// Returns taps on a panel with raw units from 0 to 4095.
    /// - Parameter parts: where, as parts of the panel's width and height.
    private func taps(_ name: String, _ parts: [(Double, Double)]) -> Gestures {
      var gestures = Gestures(on: .panel(x: 0...4095, y: 0...4095, name: name))
      for (x, y) in parts {
        gestures.tap(0, at: (Int32((4096 * x).rounded()), Int32((4096 * y).rounded())))
        gestures.wait(300_000)
      }
      return gestures
    }

    @Test func `A touch hits the control that lies under the finger`() throws {
      let test = try GuestCase("controls")
      try test.start(configuration: Self.configuration)
      func upright(_ x: Double, _ y: Double) -> (Double, Double) { (x / 1280, y / 800) }
      // The top of the picture lies along the panel's right edge.
      func turned(_ x: Double, _ y: Double) -> (Double, Double) { (1 - y / 1280, x / 800) }
      let files = try [
        taps(
          "Upright",
          [
            upright(1010, 610), upright(1190, 670),  // in "pay"
            upright(1100, 692),  // 3 mm below it
            upright(150, 150), upright(150, 150),  // in the mask
          ]),
        taps("Turned", [turned(30, 1110), turned(110, 1190), turned(70, 1150)]),
      ].enumerated().map { number, gestures in
        try test.write(gestures.recording, as: "panel\(number).evemu")
      }
      for file in files { try test.guest.run("touchgrid play \(file) --start-after 2") }
      try test.waitForLog("is no longer read", count: 2)
      let store = try test.stop()
      let all = try store.controls(of: GridQuery(.span(.always), layer: .taps))
      func sums(_ display: String, _ name: String) throws -> ControlSums {
        let counts = try #require(all.first { $0.counts.key.display == display }).counts
        return counts[try #require(counts.set.controls.firstIndex { $0.name == name })]
      }
      let (pay, pin) = try (sums("upright", "pay"), sums("upright", "pin"))
      #expect(pay.hits.count == 2 && pay.nearMisses.count == 1 && pay.beside[3] == [0, 0, 1, 0, 0])
      // From its centre at 1100, 640: the two hits lie opposite each other.
      #expect(abs(pay.hits.x) <= 1 && abs(pay.hits.y) <= 1 && abs(pay.hits.xx - 2 * 90 * 90) < 200)
      #expect(pin.hits.count == 0 && pin.nearMisses.count == 0 && pin.beside.joined().max() == 0)
      #expect(try sums("turned", "help").hits.count == 3)
      #expect(all.allSatisfy { abs($0.counts.set.pointSize - 0.25) < 0.001 })
      let totals = try store.onlySession().record.totals
      #expect(totals.masked == 2 && totals.counted == 6)
    }
  }
}
