import TestSupport
import Testing
import TouchFeedback
import TouchModel

@Suite struct HistoryPropertyTests {
  static let styles: [BubbleStyle] = (0..<16).map {
    var style = BubbleStyle()
    style.isRing = $0 & 1 != 0
    style.coloursByFinger = $0 & 2 != 0
    style.hasTrail = $0 & 4 != 0
    style.countsTaps = $0 & 8 != 0
    return style
  }

  private func shapes(
    _ history: TouchHistory, at time: Timestamp, _ style: BubbleStyle,
    _ surface: Surface = .translucent
  ) -> [Shape] {
    ["A", "B"].flatMap { history.shapes(on: $0, at: time, style: style, surface: surface) }
  }

  @Test(arguments: [false, true], [1, 2, 3])
  func `After the last touch has faded, nothing is drawn or kept`(isHostile: Bool, seed: UInt64) {
    var frames = RandomFrames(seed: seed, isHostile: isHostile)
    var history = TouchHistory()
    for _ in 0..<400 { history.apply(frames.next(), at: frames.time) }
    var end = frames.end()
    if isHostile {
      for touch in -1...600 as ClosedRange<Int64> {
        end.append(
          TouchSample(touch: touch, phase: .ended, point: Point(x: .nan, y: 0), display: "A"))
      }
    }
    history.apply(end, at: frames.time)
    let over = frames.time + 400_000
    for style in Self.styles {
      #expect(shapes(history, at: over, style).isEmpty)
      #expect(history.nextChange(after: over, style: style) == nil)
    }
    history.forget(at: over)
    #expect(history.isEmpty)
  }

  /// Each touch is visible for at least 150 ms, unless it is cancelled.
  @Test(arguments: [4, 5, 6]) func `Every touch is fully visible for at least 150 ms`(seed: UInt64)
  {
    var frames = RandomFrames(seed: seed)
    var history = TouchHistory()
    var landed: [Int64: Timestamp] = [:]
    var visibleUntil: [Int64: Timestamp] = [:]
    for _ in 0..<600 {
      let frame = frames.next()
      let full = shapes(history, at: frames.time, BubbleStyle()).filter {
        if case .disc(_, _, let fill, _, _) = $0 { fill.opacity == 0.625 } else { false }
      }
      // Before this frame is applied, all touches that are down, or have been visible for less than
      // 150 ms, must be fully visible.
      #expect(full.count >= visibleUntil.count { frames.time <= $0.value })
      history.apply(frame, at: frames.time)
      for sample in frame {
        switch sample.phase {
        case .began:
          landed[sample.touch] = frames.time
          visibleUntil[sample.touch] = Timestamp(microseconds: .max)
        case .ended:
          visibleUntil[sample.touch] = max(
            frames.time, (landed[sample.touch] ?? .zero) + 150_000)
        case .cancelled: visibleUntil[sample.touch] = nil
        case .moved, .stationary: break
        }
      }
    }
  }

  @Test(arguments: [7, 8]) func `The picture changes only at announced times`(seed: UInt64) {
    var frames = RandomFrames(seed: seed)
    var history = TouchHistory()
    for _ in 0..<120 {
      let start = frames.time
      history.apply(frames.next(), at: frames.time)
      let surface = frames.time.microseconds % 2 == 0 ? Surface.translucent : .opaque
      for style in [Self.styles[0], Self.styles[15]] {
        var time = max(start, frames.time)
        for _ in 0..<30 {
          let announced = history.nextChange(after: time, style: style)
          let next = time + 3_000
          let drawn = shapes(history, at: time, style, surface)
          if drawn != shapes(history, at: next, style, surface),
            announced.map({ $0 < next }) != true
          {
            Issue.record("unannounced at \(next)")
          }
          // Until the announced time, the picture must not change.
          let until = announced ?? time + 3_600_000_000
          if until < time || drawn != shapes(history, at: until, style, surface) {
            Issue.record("too late at \(time)")
          }
          time = next
        }
      }
    }
  }

  @Test func `The number and the size of the shapes are limited`() {
    var frames = RandomFrames(seed: 9, isHostile: true)
    var history = TouchHistory()
    for step in 0..<300 {
      var frame = frames.next()
      for extra in 0..<20 {
        frame.append(
          TouchSample(
            touch: Int64(step * 20 + extra), phase: .began, point: Point(x: 1, y: 2), display: "A"))
      }
      // Apply frames at times that stand still or go backwards.
      history.apply(frame, at: Timestamp(microseconds: step % 2 == 0 ? 5 : .min))
      let drawn = shapes(history, at: .zero, Self.styles[15])
      #expect(drawn.count <= TouchHistory.limit * 16)
      for shape in drawn {
        guard let bounds = shape.bounds else { continue }
        let isNear = abs(bounds.x) < 2e6 && bounds.width < 3e6
        if !isNear { Issue.record("\(shape)") }
      }
    }
  }

  @Test func `Extreme times do not trap`() {
    for time in [Int64.min, -1, 0, .max] {
      var history = TouchHistory()
      let touch = TouchSample(touch: 1, phase: .began, point: Point(x: 1, y: 1), display: "A")
      history.apply([touch], at: Timestamp(microseconds: time))
      var end = touch
      end.phase = .ended
      history.apply([end], at: Timestamp(microseconds: time))
      for other in [Int64.min, 0, .max] {
        _ = shapes(history, at: Timestamp(microseconds: other), Self.styles[15])
        _ = history.nextChange(after: Timestamp(microseconds: other), style: Self.styles[15])
        history.forget(at: Timestamp(microseconds: other))
      }
    }
  }
}
