import Storage
import TestSupport
import Testing
import TouchModel

extension DeviceGuestTests {
  @Suite struct Steps {
    /// Types at irregular times, and returns when the daemon has woken up meanwhile, in ms.
    private func wakeUps(_ name: String, configuration: String) throws -> [Int] {
      let test = try GuestCase(name)
      try test.start(configuration: configuration)
      var gestures = Gestures(on: .panel(x: 0...1023, y: 0...767))
      // The daemon learns the panel's rate, and then nobody touches for a while.
      gestures.drag(from: (100, 100), to: (900, 100), duration: 500_000)
      gestures.wait(14_000_000)
      for pause: Int64 in [137, 411, 293, 530, 219, 677, 388, 154, 461] {
        gestures.tap(at: (500, 500), duration: 71_000)
        gestures.wait(pause * 1000)
      }
      let file = try test.write(gestures.recording, as: "recording.evemu")
      let lines = try test.guest.run(
        """
        \(GuestCase.untilFinger(playing: file))
        sleep 12
        python3 /host/wakes.py $(cat /run/case/pid) 6
        wait $play
        """)
      let totals = try test.stop().onlySession().record.totals
      #expect(totals.begun == 10 && totals.drops == 0)
      return lines.split(separator: "\n").compactMap { Int($0) }
    }

    /// How many wake-ups were not a multiple of a step after the first.
    private func irregular(_ times: [Int]) throws -> Int {
      let first = try #require(times.first)
      return times.count { time in
        let rest = (Double(time - first) / 62.5).truncatingRemainder(dividingBy: 1)
        return min(rest, 1 - rest) * 62.5 > 4
      }
    }

    @Test func `Wake-ups tell no time of a key in a mask, except that of the first`() throws {
      let masked = try wakeUps("masked", configuration: "[[mask]]\nscreen = 'default'\n")
      #expect(masked.count > 50)
      #expect(try irregular(masked) == 0, "\(masked)")
      let open = try wakeUps("open", configuration: "")
      #expect(try irregular(open) > 5, "\(open)")
    }
  }
}
