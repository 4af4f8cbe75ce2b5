import Foundation
import TestSupport
import Testing

extension DeviceGuestTests {
  /// Guards the daemon's cost per frame, with a short and stable part of `Benchmarks/service
  /// frames`.
  @Suite struct FrameCost {
    private struct Result: Decodable {
      struct Memory: Decodable {
        var resident: Int
        var dirty: Int
      }
      struct Reader: Decodable {
        var instructions: Double
        var wakeUps: Double
        var memory: Memory
      }
      struct Play: Decodable {
        var fingers: Int
        var readers: [String: Reader]
      }
      var plays: [Play]
      var calls: [String: Double]
    }

    @Test
    func `A frame costs no more instructions, calls, wake-ups and memory than documented`() throws {
      let guest = try Guest.shared()
      let packaged = try PackagedGuest(on: guest)
      try packaged.install()
      defer { _ = try? packaged.purge() }
      try FileManager.default.copyItem(
        at: URL(filePath: Project.path("Benchmarks/Guest")),
        to: guest.share.appending(path: "cost"))
      // Copy the programs first, because reads from /host go through the emulator.
      try guest.run(
        """
        cp cost/*.py /root/ && \
        python3 /root/frames.py /host/cost.json --seconds 20 --beside libinput --plays 2
        """, timeout: 1800)
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      let result = try decoder.decode(
        Result.self, from: Data(contentsOf: guest.share.appending(path: "cost.json")))

      // The limits are 12 to 15 % above the figures of docs/performance.md; of arm64, 10 % above
      // those of a daemon that reads each frame.
      let limits =
        Guest.architecture == "arm64"
        ? [(1, 16_700.0, 0.44), (10, 40_700.0, 0.19)]
        : [(1, 6_700.0, 0.23), (10, 21_000.0, 0.115)]
      for (fingers, most, part) in limits {
        let play = try #require(result.plays.first { $0.fingers == fingers })
        let own = try #require(play.readers["touchgridd"])
        let other = try #require(play.readers["libinput"])
        print(
          "frame cost: \(fingers) fingers: \(own.instructions) instructions, libinput "
            + "\(other.instructions), \(own.wakeUps) wake-ups, \(own.memory.resident) KiB, \(own.memory.dirty) of them written"
        )
        #expect(own.instructions <= most)
        #expect(own.instructions <= part * other.instructions)
        #expect(own.wakeUps <= 0.25)
        #expect(own.memory.dirty <= 2 * 1024)
        #expect(own.memory.resident <= 13 * 1024 + 256)
      }
      #expect(result.calls.values.reduce(0, +) <= 1)
    }
  }
}
