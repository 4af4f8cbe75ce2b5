import Foundation
import Recordings
import Storage
import TestSupport
import Testing
import TouchModel

extension DeviceGuestTests {
  /// Recordings of real panels, played at their own pace through the kernel. libinput reads the
  /// same devices.
  @Suite(.enabled(if: Guest.corpus != nil, "set TOUCHGRID_CORPUS to the recordings of real panels"))
  struct Corpus {
    /// The five recordings in which one frame has both a touch-up and a touch-down of the same
    /// slot, and others, so that every make and protocol is included.
    static let selection = [
      "huitoo_03f7_0003", "lg_043e_9aa1", "lg_043e_9aa3", "pqlabs_1ef1_0001",
      "rndplus_2512_5004", "3m_0596_051c", "atmel_03eb_8409", "cando_2087_0b03",
      "egalax-capacitive_0eef_7224", "elan_04f3_0125", "n-trig_1b96_0c03", "quanta_0408_3000",
    ]

    /// The recordings with the fewest events, of four makes. The first one has a touch-up and a
    /// touch-down of the same slot in one frame.
    static let briefSelection = [
      "pqlabs_1ef1_0001", "cando_2087_0b03", "egalax-capacitive_0eef_7224", "quanta_0408_3000",
    ]

    /// The maximum number of recordings played in parallel: the shared guest has only one emulated
    /// processor.
    static let batch = 4

    @Test
    func `The stored touches are the expected ones, and libinput's except for known causes`() throws
    {
      let corpus = try #require(Guest.corpus)
      let all = try CorpusExpectation.all(in: corpus)
      #expect(all.count == 59)
      let isWhole = ProcessInfo.processInfo.environment["TOUCHGRID_CORPUS_ALL"] == "1"
      let selection = Guest.isShort ? Self.briefSelection : Self.selection
      let chosen = isWhole ? all : all.filter { selection.contains($0.device) }
      #expect(isWhole || chosen.count == selection.count)
      // Recordings of about the same length are played together.
      let pairs = try chosen.map { ($0, try Recording.read(path: "\(corpus)/\($0.eventFile)")) }
      let ordered = pairs.sorted { Self.length($0.1) > Self.length($1.1) }
      for start in stride(from: 0, to: ordered.count, by: Self.batch) {
        try play(Array(ordered[start..<min(start + Self.batch, ordered.count)]))
      }
    }

    private static func length(_ recording: Recording) -> Int64 {
      guard let first = recording.events.first, let last = recording.events.last else { return 0 }
      return last.time - first.time
    }

    private func play(_ pairs: [(expectation: CorpusExpectation, recording: Recording)]) throws {
      let test = try GuestCase("corpus")
      // Use small blocks, because the store keeps the first position of a touch only as a block.
      try test.start(configuration: "[grid]\nblock_size = 4\nlayers = [\"taps\"]\n")
      var commands: [String] = []
      for (number, pair) in pairs.enumerated() {
        let file = try test.write(pair.recording, as: "\(number).evemu")
        // SIGSTOP holds the player until libinput and the daemon have opened the device, however
        // long that takes.
        commands.append(
          """
          touchgrid play \(file) --name 'Panel \(number)' --phys usb-\(number)/input0 \
            --start-after 4 --max-pause 1 --hold 1 --node-file /run/case/node\(number) & play=$!
          plays="$plays $play"
          (while [ ! -s /run/case/node\(number) ]; do sleep 0.05; done; kill -STOP $play; \
            exec stdbuf -oL libinput debug-events --device $(cat /run/case/node\(number)) \
              >/run/case/libinput\(number) 2>&1) &
          """)
      }
      let numbers = pairs.indices.map(String.init).joined(separator: " ")
      try test.guest.run(
        """
        \(GuestCase.awaiting)
        trap 'kill -KILL $plays 2>/dev/null' EXIT
        \(commands.joined(separator: "\n"))
        await '" is read as' \(pairs.count) 60
        for number in \(numbers); do
          for i in $(seq 600); do
            grep -q DEVICE_ADDED /run/case/libinput$number && break; sleep 0.5
          done
        done
        kill -CONT $plays
        for play in $plays; do wait $play || exit 1; done
        """, timeout: 900)
      try test.waitForLog("is no longer read", count: pairs.count)
      let store = try test.stop()
      #expect(try store.onlySession().record.totals.drops == 0)
      #expect(try store.onlySession().record.totals.isBalanced)
      for (number, pair) in pairs.enumerated() {
        try check(
          pair.expectation, pair.recording, number: number, store: store,
          libinput: test.guest.run("cat /run/case/libinput\(number)"))
      }
    }

    private func check(
      _ expectation: CorpusExpectation, _ recording: Recording, number: Int, store: Store,
      libinput: String
    ) throws {
      let summaries = try store.grids(screen: nil, layer: .taps, in: .always)
      let own = summaries.first { $0.key.display.contains("usb-\(number)") }
      let placement = try #require(own?.placements.first)
      var expected: [Block: UInt64] = [:]
      for touch in expectation.touches {
        let block = placement.locate(rawX: touch.x0 ?? 0, rawY: touch.y0 ?? 0).block
        expected[block, default: 0] += 1
      }
      let found = try store.counts(.taps, display: "usb-\(number)")
      #expect(found == expected, "\(expectation.device)")

      let downs = libinput.split(separator: "\n").filter { $0.contains("TOUCH_DOWN") }.count
      let relandings = CorpusExpectation.relandings(in: recording.events)
      #expect(
        downs + relandings == expectation.touches.count,
        "\(expectation.device): libinput saw \(downs), lost \(relandings) for the known cause")
    }
  }
}
