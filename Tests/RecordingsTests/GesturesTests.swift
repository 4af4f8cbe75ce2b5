import Recordings
import TestSupport
import Testing
import TouchModel

/// The event streams that other tests are built from.
@Suite struct GesturesTests {
  /// Returns the events as short lines: time in ms, type, code and value.
  private func lines(_ gestures: Gestures) -> [String] {
    gestures.recording.events.map { event in
      let code = String(event.code, radix: 16)
      return "\(event.time.milliseconds) \(event.type) \(code) \(event.value)"
    }
  }

  @Test func `A touch-down at the slot's last position sends no position`() {
    var gestures = Gestures(on: .panel(hasSingleTouch: false))
    gestures.down(0, 0, 50)
    gestures.frame()
    gestures.up(0)
    gestures.frame()
    gestures.down(0, 0, 50)
    gestures.frame()
    #expect(
      lines(gestures) == [
        "1010 3 39 0", "1010 3 36 50", "1010 0 0 0",
        "1020 3 39 -1", "1020 0 0 0",
        "1030 3 39 1", "1030 0 0 0",
      ])
  }

  @Test func `The slot is sent only when it changes, together with a value`() {
    var gestures = Gestures(on: .panel(hasSingleTouch: false))
    gestures.down(1, 5, 6)
    gestures.down(0, 7, 8)
    gestures.frame()
    gestures.move(1, 5, 6)
    gestures.move(0, 9, 8)
    gestures.frame()
    #expect(
      lines(gestures) == [
        "1010 3 2f 1", "1010 3 39 0", "1010 3 35 5", "1010 3 36 6",
        "1010 3 2f 0", "1010 3 39 1", "1010 3 35 7", "1010 3 36 8", "1010 0 0 0",
        "1020 3 35 9", "1020 0 0 0",
      ])
  }

  @Test func `The oldest finger gives the single-touch events`() {
    var gestures = Gestures(on: .panel(slots: 2))
    gestures.down(1, 1, 2)
    gestures.down(0, 3, 4)
    gestures.frame()
    gestures.up(1)
    gestures.frame()
    gestures.up(0)
    gestures.frame()
    let single = lines(gestures).filter { line in
      [" 3 0 ", " 3 1 ", " 1 14a "].contains { line.contains($0) }
    }
    #expect(
      single == [
        "1010 1 14a 1", "1010 3 0 1", "1010 3 1 2", "1020 3 0 3", "1020 3 1 4", "1030 1 14a 0",
      ])
  }

  @Test func `A touch-up and a touch-down of one slot may be in the same frame`() {
    var gestures = Gestures(on: .panel(hasSingleTouch: false))
    gestures.down(0, 1, 1)
    gestures.frame()
    gestures.up(0)
    gestures.down(0, 2, 1)
    gestures.frame()
    gestures.down(0, 2, 1, id: 9)
    gestures.frame()
    #expect(
      lines(gestures).suffix(6) == [
        "1020 3 39 -1", "1020 3 39 1", "1020 3 35 2", "1020 0 0 0", "1030 3 39 9", "1030 0 0 0",
      ])
  }

  @Test func `Protocol A sends every contact in every frame`() {
    var gestures = Gestures(on: .anonymous())
    gestures.down(0, 1, 2)
    gestures.down(1, 3, 4)
    gestures.frame()
    gestures.up(0)
    gestures.frame()
    gestures.upAll()
    gestures.frame()
    gestures.frame()
    #expect(
      lines(gestures) == [
        "1010 3 35 1", "1010 3 36 2", "1010 0 2 0", "1010 3 35 3", "1010 3 36 4", "1010 0 2 0",
        "1010 1 14a 1", "1010 3 0 1", "1010 3 1 2", "1010 0 0 0",
        "1020 3 35 3", "1020 3 36 4", "1020 0 2 0", "1020 3 0 3", "1020 3 1 4", "1020 0 0 0",
        "1030 0 2 0", "1030 1 14a 0", "1030 0 0 0",
      ])
  }

  @Test func `The generator gives the numbers of SplitMix64`() {
    var random = SeededGenerator(seed: 1_234_567)
    let numbers = (0..<3).map { _ in random.next() }
    #expect(
      numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
  }
}
