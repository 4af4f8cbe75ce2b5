import Testing

@testable import TouchModel

/// A client that watches live touches. It checks that they are consistent and that no hidden touch
/// is visible.
struct NaiveWatcher {
  /// The shown touches that are down, with their last shown points.
  private(set) var down: [TouchID: Point] = [:]
  private(set) var over: Set<TouchID> = []
  private(set) var begun = 0
  /// The index of each shown touch in the naive model.
  private var known: [TouchID: Int] = [:]
  /// The expected number of the next touch. Numbers must have no gaps, so that clients cannot infer
  /// that there are hidden touches.
  private var next: UInt64 = 1

  mutating func begin(_ touches: [LiveTouch], _ naive: NaiveBooks) {
    (down, over, known) = ([:], [], [:])
    for touch in touches {
      #expect(touch.phase == .stationary && touch.previous == touch.point)
      meet(touch) { naive.touches.lastIndex { $0.ended == nil && $0.points.last == touch.point } }
      down[touch.touch] = touch.point
    }
  }

  func check(_ state: [LiveTouch]) {
    let shown = Dictionary(uniqueKeysWithValues: state.map { ($0.touch, $0.point) })
    if shown != down { Issue.record("what is down is \(down), the feed says \(shown)") }
  }

  mutating func see(_ frame: LiveFrame, _ naive: NaiveBooks) {
    if !frame.touches.contains(where: { $0.phase != .stationary }) {
      Issue.record("a frame in which nothing happens")
    }
    for touch in frame.touches { see(touch, at: frame.time, naive) }
  }

  private mutating func meet(_ touch: LiveTouch, _ find: () -> Int?) {
    guard known[touch.touch] == nil else { return }
    if touch.touch.value != next { Issue.record("\(touch.touch) is shown where \(next) is next") }
    next = touch.touch.value + 1
    guard let index = find(), !known.values.contains(index) else {
      Issue.record("nothing is known of \(touch)")
      return
    }
    known[touch.touch] = index
  }

  private mutating func see(_ touch: LiveTouch, at time: Timestamp, _ naive: NaiveBooks) {
    let id = touch.touch
    meet(touch) {
      naive.touches.lastIndex { other in
        touch.previous.map(other.points.contains)
          ?? (other.began == time && other.points.first == touch.point)
      }
    }
    guard let known = known[id].map({ naive.touches[$0] }) else { return }
    let isCut = touch.cancellation == .masked || touch.cancellation == .paused
    if over.contains(id) { Issue.record("\(id) comes back after its end") }
    if known.isIgnored { Issue.record("\(id) began in a pause") }
    if naive.isPaused, !isCut { Issue.record("\(id) is shown in a pause: \(touch)") }
    if (touch.phase == .cancelled) != (touch.cancellation != nil) {
      Issue.record("\(touch.phase) with \(String(describing: touch.cancellation))")
    }
    if touch.display != known.placement.display { Issue.record("\(id) is on another display") }
    if touch.block != known.placement.geometry.block(at: touch.point) {
      Issue.record("\(id) is in another block")
    }
    switch touch.phase {
    case .began:
      begun += 1
      if touch.previous != nil || down[id] != nil { Issue.record("\(id) begins again") }
    default:
      if let last = down[id], touch.previous != last { Issue.record("\(id) jumps") }
      if down[id] == nil, touch.phase == .ended || touch.phase == .cancelled {
        Issue.record("\(id) ends before it was seen: \(touch)")
      }
    }
    let screen = naive.screen(at: known.began)
    if !isCut {
      if touch.screen != screen { Issue.record("\(id) is of \(screen), not \(touch.screen)") }
      if covers(naive.masks, screen, touch) { Issue.record("a masked point of \(id) is shown") }
      if !known.points.contains(touch.point) { Issue.record("\(id) was never at this point") }
    } else if touch.point != down[id] {
      Issue.record("\(id) is cut off elsewhere than where it was last shown")
    }
    down[id] = touch.point
    if touch.phase == .ended || touch.phase == .cancelled {
      down[id] = nil
      over.insert(id)
    }
  }

  private func covers(_ masks: Set<Mask>, _ screen: String, _ touch: LiveTouch) -> Bool {
    masks.contains { mask in
      mask.screen == screen && (mask.display ?? touch.display) == touch.display
        && mask.rectangle?.contains(touch.point) != false
    }
  }
}
