import Testing
import TouchModel

@testable import Reports

/// What a step of `touchgrid panel test` measures, on panels with known faults.
@Suite struct PanelMeasuresTests {
  private func isNear(_ value: Double?, _ wanted: Double, within error: Double) -> Bool {
    value.map { abs($0 - wanted) <= error } ?? false
  }

  @Test func `A good panel has no faults on any line`() throws {
    let panel = try SimulatedPanel()
    for (from, to) in [((0.0, 45.0), (320.0, 45.0)), ((80, 180), (80, 0)), ((0, 0), (320, 180))] {
      let measures = panel.measures(panel.line(from: from, to: to))
      #expect(measures.jitter ?? 1 < 0.05 && measures.linearity ?? 1 < 0.05, "\(measures)")
      #expect(isNear(measures.rate, 100, within: 0.5) && isNear(measures.gapRatio, 1, within: 0.1))
      #expect(measures.breaks == 0 && measures.extraTouches == 0)
      #expect(isNear(measures.coverage, 1, within: 0.01))
    }
  }

  @Test func `A bow is found as a fault of straightness, and not as jitter`() throws {
    var panel = try SimulatedPanel()
    panel.bend = { ($0, $1 + 3 * (1 - (2 * $0 / 320 - 1) * (2 * $0 / 320 - 1))) }
    let measures = panel.measures(panel.line(from: (0, 90), to: (320, 90)))
    // Of the bow, 0.8 of the length is measured: its height there is 3 * 0.64 mm, around the mean.
    #expect(isNear(measures.linearity, 1.28, within: 0.03), "\(measures)")
    // The standard deviation of a parabola is sqrt(4/45) of its height.
    #expect(isNear(measures.linearityRMS, 0.57, within: 0.02))
    #expect(measures.jitter ?? 1 < 0.05)
  }

  @Test func `Jitter is found with its size`() throws {
    let panel = try SimulatedPanel()
    var side = 1.0
    let strokes = panel.line(from: (0, 90), to: (320, 90)) { _ in
      side = -side
      return 1.3 * side
    }
    let measures = panel.measures(strokes)
    #expect(isNear(measures.jitter, 1.3, within: 0.35), "\(measures)")
    #expect(isNear(measures.linearity, 1.3, within: 0.05))
  }

  @Test func `A wobbly hand is no jitter`() throws {
    let panel = try SimulatedPanel()
    let strokes = panel.line(from: (0, 90), to: (320, 90)) { $0 * $0 / 10_000 }
    #expect(panel.measures(strokes).jitter ?? 1 < 0.1)
  }

  @Test func `A line that the panel does not sense is a gap at its place`() throws {
    var panel = try SimulatedPanel()
    panel.senses = { x, _ in !(158...163).contains(x) }
    let measures = panel.measures(panel.line(from: (0, 90), to: (320, 90)))
    #expect(measures.breaks == 1 && measures.extraTouches == 0)
    #expect(isNear(measures.largestGap, 6, within: 1.6), "\(measures)")
    #expect(isNear(measures.gapPlace?.x, 160.5, within: 1.6))
    #expect(isNear(measures.gapPlace?.y, 90, within: 0.1))
    #expect(isNear(measures.coverage, 1, within: 0.01))
  }

  @Test func `A lost report is a gap, and a slow finger is none`() throws {
    let panel = try SimulatedPanel()
    var strokes = panel.line(from: (0, 90), to: (320, 90))
    strokes[0].samples.remove(at: 100)
    #expect(isNear(panel.measures(strokes).gapRatio, 2, within: 0.1))
    var slow = panel.line(from: (0, 90), to: (320, 90), speed: 30)
    slow[0].samples.remove(at: 500)
    #expect(panel.measures(slow).gapRatio == 1)
  }

  @Test(arguments: [0.03, 0.06, 0.5, 0.95])
  func `A jump is a gap wherever it is, also beside another one`(part: Double) throws {
    let panel = try SimulatedPanel()
    var strokes = panel.line(from: (0, 90), to: (320, 90))
    let place = Int(part * 214)
    strokes[0].samples.removeSubrange(place..<place + 4)
    #expect(isNear(panel.measures(strokes).gapRatio, 5, within: 0.1))
    // The next report is lost, too.
    strokes[0].samples.removeSubrange(place + 1..<place + 2)
    let measures = panel.measures(strokes)
    #expect(isNear(measures.gapRatio, 5, within: 0.1), "\(measures)")
    #expect(isNear(measures.largestGap, 7.5, within: 0.1))
    // Reports that repeat a place, as when only the pressure changes, hide nothing.
    strokes[0].samples = strokes[0].samples.flatMap { [$0, $0, $0, $0] }
    #expect(isNear(panel.measures(strokes).gapRatio, 5, within: 0.1))
  }

  @Test func `A finger that becomes faster makes no gap`() throws {
    let panel = try SimulatedPanel()
    let samples = (0...60).map { step -> PanelStroke.Sample in
      panel.sample(min(320, 0.09 * Double(step * step)), 90, at: Int64(step) * 10_000)
    }
    let stroke = PanelStroke(samples: samples, end: Timestamp(microseconds: 700_000))
    #expect(isNear(panel.measures([stroke]).gapRatio, 1, within: 0.15))
  }

  @Test func `The pause of a hand does not lower the rate, and few reports have none`() throws {
    let panel = try SimulatedPanel()
    var strokes = panel.line(from: (0, 90), to: (320, 90))
    for index in 100..<strokes[0].samples.count {
      strokes[0].samples[index].time = strokes[0].samples[index].time + 2_000_000
    }
    strokes[0].end = strokes[0].end + 2_000_000
    #expect(isNear(panel.measures(strokes).rate, 100, within: 0.5))
    #expect(panel.measures(panel.line(from: (0, 90), to: (30, 90))).rate == nil)
  }

  @Test func `A second touch of the same finger is extra`() throws {
    let panel = try SimulatedPanel()
    var strokes = panel.line(from: (0, 90), to: (320, 90))
    let twin = panel.sample(165, 90, at: 2_000_000)
    strokes.append(PanelStroke(samples: [twin], end: twin.time + 50_000))
    let measures = panel.measures(strokes)
    #expect(measures.extraTouches == 1 && measures.breaks == 0)
    #expect(isNear(measures.extraPlace?.x, 165, within: 0.03))
  }

  @Test func `The edges that a line does not reach are measured`() throws {
    let panel = try SimulatedPanel()
    let margins = try #require(
      panel.measures(panel.line(from: (0.4, 90), to: (318, 90))).margins)
    #expect(isNear(margins.left, 0.4, within: 0.03) && isNear(margins.right, 2, within: 1.6))
  }

  @Test func `Rest is the greatest distance, without the landing`() throws {
    let panel = try SimulatedPanel()
    let samples = [
      (0, 100.0, 90.0), (50_000, 103, 90), (300_000, 103.4, 90.3), (900_000, 103, 90.2),
    ]
    .map { panel.sample($0.1, $0.2, at: Int64($0.0)) }
    let stroke = PanelStroke(samples: samples, end: Timestamp(microseconds: 3_000_000))
    let measures = panel.measures([stroke], of: .hold)
    #expect(isNear(measures.rest, 0.5, within: 0.03), "\(measures)")
    #expect(measures.duration == 3 && measures.linearity == nil && measures.rate == nil)
    let still = PanelStroke(samples: [samples[0]], end: Timestamp(microseconds: 3_000_000))
    #expect(panel.measures([still], of: .hold).rest == 0)
    let short = PanelStroke(samples: [samples[0]], end: Timestamp(microseconds: 300_000))
    #expect(panel.measures([short], of: .hold).rest == nil)
  }

  @Test func `A resting finger that is lost is measured whole`() throws {
    let panel = try SimulatedPanel()
    let strokes = [(0, 100.0), (700_000, 100.2), (1_400_000, 102)].map { start, x in
      PanelStroke(
        samples: [panel.sample(x, 90, at: Int64(start))],
        end: Timestamp(microseconds: Int64(start) + 600_000))
    }
    let measures = panel.measures(strokes, of: .hold)
    #expect(measures.breaks == 2 && measures.duration == 2)
    #expect(isNear(measures.rest, 2, within: 0.03), "\(measures)")
  }

  @Test func `The nearest distance of two fingers ends where they become one`() throws {
    let panel = try SimulatedPanel()
    var left = panel.line(from: (100, 90), to: (152, 90))[0]
    let right = panel.line(from: (212, 90), to: (160, 90))[0]
    #expect(isNear(panel.measures([left, right], of: .twoFingers).separation, 9, within: 1.6))
    // The panel loses the left finger when they are 34 mm apart.
    left.samples = left.samples.filter { $0.x <= 139 * 50 }
    left.end = try #require(left.samples.last).time + 1
    let measures = panel.measures([left, right], of: .twoFingers)
    #expect(isNear(measures.separation, 34, within: 1.6), "\(measures)")
    #expect(panel.measures([left], of: .twoFingers).separation == nil)
  }

  @Test func `Nothing and hostile positions are measured without a trap`() throws {
    let panel = try SimulatedPanel()
    let extremes = [Int32.min, .max, 0, .max, .min].enumerated().map {
      PanelStroke.Sample(
        time: Timestamp(microseconds: $0.offset == 3 ? .min : Int64($0.offset)), x: $0.element,
        y: $0.element)
    }
    for kind in [PanelTestStep.Kind.line, .edge, .hold, .twoFingers] {
      #expect(panel.measures([], of: kind) == PanelMeasures())
      for end in [Int64.min, 0, .max] {
        let stroke = PanelStroke(samples: extremes, end: Timestamp(microseconds: end))
        _ = panel.measures([stroke, stroke, stroke], of: kind)
      }
    }
  }

  @Test func `A recorder gathers touches, and leaves out those that were down before`() {
    func update(
      _ touch: UInt64, _ phase: Phase, _ x: Int32, preexisting: Bool = false
    ) -> TouchUpdate {
      TouchUpdate(
        touch: TouchID(touch), phase: phase, slot: 0, trackingID: 1, x: x, y: 0,
        preexisting: preexisting)
    }
    var recorder = PanelStrokeRecorder()
    var counted = recorder.add([update(9, .moved, 1)], at: Timestamp(microseconds: 1))
    #expect(!counted)
    counted = recorder.add(
      [update(8, .began, 1, preexisting: true)], at: Timestamp(microseconds: 1))
    #expect(!counted && recorder.strokes.isEmpty && recorder.touchesDown == 0)
    counted = recorder.add([update(1, .began, 5)], at: Timestamp(microseconds: 10))
    #expect(counted)
    recorder.add([update(1, .moved, 6), update(2, .began, 7)], at: Timestamp(microseconds: 20))
    #expect(recorder.touchesDown == 2)
    recorder.add([update(1, .ended, 6)], at: Timestamp(microseconds: 30))
    recorder.add([update(2, .cancelled, 7)], at: Timestamp(microseconds: 40))
    #expect(recorder.touchesDown == 0)
    #expect(recorder.strokes.map { $0.samples.map(\.x) } == [[5, 6], [7]])
    #expect(recorder.strokes.map(\.end.microseconds) == [30, 40])
  }
}
