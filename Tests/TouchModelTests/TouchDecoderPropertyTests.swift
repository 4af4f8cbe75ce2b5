import TestSupport
import Testing
import TouchModel

@Suite struct TouchDecoderPropertyTests {
  struct Setup: Sendable, CustomTestStringConvertible {
    var slots: Int
    var isSingle = false
    var streams = 600
    var testDescription: String { isSingle ? "single touch" : "\(slots) slots" }
  }

  static let setups = [
    Setup(slots: 1), Setup(slots: 2), Setup(slots: 5), Setup(slots: 10),
    Setup(slots: 256, streams: 20), Setup(slots: 1, isSingle: true),
  ]
  static let eventsPerStream = 400

  @Test(arguments: setups)
  func `Any stream gives the touches of a naive model of the kernel's protocol`(setup: Setup) {
    var touchCount = 0
    for seed in 0..<UInt64(setup.streams) {
      let run = Run(setup, seed: seed, events: Self.eventsPerStream)
      touchCount += run.lives.count
      // Compare the touches as sets. No two of them are equal, because they differ in slot, frame
      // or order.
      let actual = Set(run.lives.values)
      let expected = Set(run.naive.touches)
      guard actual == expected else {
        Issue.record(
          "seed \(seed): \(expected.subtracting(actual)) became \(actual.subtracting(expected))")
        return
      }
      #expect(run.lives.count == run.naive.touches.count)
      for steps in run.lives.values { #expect(isOneLife(steps), "seed \(seed)") }
      #expect(run.began == run.began.sorted())
      #expect(Set(run.began).count == run.began.count)
      let open = run.lives.values.filter { $0.last.map(isOver) == false }
      #expect(open.count == run.touchesDown, "seed \(seed)")
    }
    #expect(touchCount > setup.streams * 5)
  }

  private func isOver(_ step: NaiveScreen.Step) -> Bool {
    step.phase == .ended || step.phase == .cancelled
  }

  /// Whether a touch begins and ends once, in one slot, with one update a frame, unless it begins
  /// and ends in the same one.
  private func isOneLife(_ steps: [NaiveScreen.Step]) -> Bool {
    guard let first = steps.first, first.phase == .began else { return false }
    return zip(steps, steps.dropFirst()).allSatisfy { former, step in
      step.phase != .began && !isOver(former) && step.slot == first.slot
        && step.trackingID == first.trackingID && step.preexisting == first.preexisting
        && (step.phase == .cancelled) == (step.cancellation != nil)
        && (step.frame > former.frame
          || step.frame == former.frame && former.phase == .began && isOver(step))
    }
  }

  /// A random stream, processed by the decoder and by the naive model.
  private struct Run {
    var naive: NaiveScreen
    var lives: [TouchID: [NaiveScreen.Step]] = [:]
    var began: [TouchID] = []
    var touchesDown = 0
    /// The touch in each slot, in the order of the updates.
    private var inSlot: [Int: TouchID] = [:]

    init(_ setup: Setup, seed: UInt64, events: Int) {
      naive = NaiveScreen(slotCount: setup.slots, isSingle: setup.isSingle)
      var decoder = TouchDecoder(slotCount: setup.slots, isSingleTouch: setup.isSingle)
      var mint = TouchIDGenerator()
      var random = RandomEvents(slotCount: setup.slots, isSingle: setup.isSingle, seed: seed)
      if seed % 2 == 0 {
        let snapshot = random.snapshot(near: naive.snapshot)
        if decoder.adopt(snapshot, on: .opening, mint: &mint) { note(decoder.updates) }
        naive.adopt(snapshot, atOpening: true)
      }
      for _ in 0..<events {
        let event = random.next()
        switch decoder.process(event, mint: &mint) {
        case .pending, .needsSnapshot: break
        case .frame, .dropped: note(decoder.updates)
        }
        let mustAsk = naive.read(event)
        if mustAsk || !naive.ignoresUntilReport && random.chance(1) {
          let snapshot = random.snapshot(near: naive.snapshot)
          if decoder.adopt(snapshot, on: .drop, mint: &mint) { note(decoder.updates) }
          naive.adopt(snapshot, atOpening: false)
        } else if !naive.ignoresUntilReport && random.next(below: 300) == 0 {
          if decoder.cancelAll(.removed) { note(decoder.updates) }
          naive.lose(.removed)
        }
      }
      touchesDown = decoder.touchesDown
      // End the unfinished frame, so that its events are reported.
      let end = InputEvent(time: .zero, type: 0, code: 0, value: 0)
      if !naive.ignoresUntilReport {
        if case .frame = decoder.process(end, mint: &mint) { note(decoder.updates) }
        _ = naive.read(end)
        touchesDown = decoder.touchesDown
      }
    }

    private mutating func note(_ updates: [TouchUpdate]) {
      for update in updates {
        if update.phase == .began {
          began.append(update.touch)
          // Also within a frame, the former touch ends before the next one begins.
          if inSlot[update.slot] != nil { Issue.record("slot \(update.slot) has two touches") }
          inSlot[update.slot] = update.touch
        }
        if update.phase == .ended || update.phase == .cancelled { inSlot[update.slot] = nil }
        lives[update.touch, default: []].append(
          NaiveScreen.Step(
            frame: naive.frame, phase: update.phase, cancellation: update.cancellation,
            slot: update.slot, trackingID: update.trackingID, x: update.x, y: update.y,
            preexisting: update.preexisting))
      }
    }
  }
}
