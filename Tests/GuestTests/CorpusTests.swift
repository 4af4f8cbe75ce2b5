import Foundation
import Recordings
import Storage
import Testing
import TouchModel

extension GuestTests {
  /// Recordings of real panels, played at their own pace through the kernel, libinput reading beside us.
  @Suite(.enabled(if: Guest.corpus != nil, "set TOUCHGRID_CORPUS to the recordings of real panels"))
  struct Corpus {
    /// The five with lifts and landings in one frame, and others of every make and protocol.
    static let selection = [
      "huitoo_03f7_0003", "lg_043e_9aa1", "lg_043e_9aa3", "pqlabs_1ef1_0001",
      "rndplus_2512_5004", "3m_0596_051c", "atmel_03eb_8409", "cando_2087_0b03",
      "egalax-capacitive_0eef_7224", "elan_04f3_0125", "n-trig_1b96_0c03", "quanta_0408_3000",
    ]

    /// Played at a time: the guest has two processors, and emulated ones.
    static let batch = 4

    @Test("the touches stored are those expected, and libinput's differ for the known cause alone")
    func expectedTouches() throws {
      let corpus = try #require(Guest.corpus)
      let all = try Expectation.all(in: corpus)
      #expect(all.count == 59)
      let isWhole = ProcessInfo.processInfo.environment["TOUCHGRID_CORPUS_ALL"] == "1"
      let chosen = isWhole ? all : all.filter { Self.selection.contains($0.device) }
      #expect(isWhole || chosen.count == Self.selection.count)
      for start in stride(from: 0, to: chosen.count, by: Self.batch) {
        try play(Array(chosen[start..<min(start + Self.batch, chosen.count)]), in: corpus)
      }
    }

    private func play(_ expectations: [Expectation], in corpus: String) throws {
      let test = try GuestCase("corpus")
      // Small blocks: first positions are checked as exactly as they are kept.
      try test.start(configuration: "[grid]\nblock_size = 4\nlayers = [\"taps\"]\n")
      var commands: [String] = []
      var recordings: [Recording] = []
      for (number, expectation) in expectations.enumerated() {
        let recording = try Recording.read(path: "\(corpus)/\(expectation.eventFile)")
        recordings.append(recording)
        let file = try test.write(recording, as: "\(number).evemu")
        commands.append(
          """
          (touchgrid play \(file) --name 'Panel \(number)' --phys usb-\(number)/input0 \
            --start-after 6 --max-pause 3 --hold 1 --node-file /run/case/node\(number); \
            echo $? >/run/case/status\(number)) &
          (while [ ! -s /run/case/node\(number) ]; do sleep 0.05; done; \
            exec stdbuf -oL libinput debug-events --device $(cat /run/case/node\(number)) \
              >/run/case/libinput\(number) 2>&1) &
          """)
      }
      try test.guest.run(
        commands.joined(separator: "\n") + "\n"
          + (0..<expectations.count).map {
            "while [ ! -s /run/case/status\($0) ]; do sleep 0.1; done; "
              + "[ $(cat /run/case/status\($0)) = 0 ] || exit 1"
          }.joined(separator: "\n"), timeout: 300)
      try test.waitForLog("is no longer read", count: expectations.count)
      let store = try test.stop()
      #expect(try store.onlySession().record.totals.drops == 0)
      #expect(try store.onlySession().record.totals.balances)
      for (number, expectation) in expectations.enumerated() {
        try check(
          expectation, recordings[number], number: number, store: store,
          libinput: test.guest.run("cat /run/case/libinput\(number)"))
      }
    }

    private func check(
      _ expectation: Expectation, _ recording: Recording, number: Int, store: Store,
      libinput: String
    ) throws {
      let summaries = try store.summaries(screen: nil, layer: .taps, in: .always)
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
      let relandings = Expectation.relandings(in: recording.events)
      #expect(
        downs + relandings == expectation.touches.count,
        "\(expectation.device): libinput saw \(downs), lost \(relandings) for the known cause")
    }
  }
}
