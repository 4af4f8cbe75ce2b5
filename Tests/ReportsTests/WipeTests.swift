import TestSupport
import Testing
import TouchModel

@testable import Reports

/// Which lines sensed nothing of a wipe.
@Suite struct WipeTests {
  /// A panel of 320 by 180 mm with 50 units per mm, on which a hand wipes with a cloth.
  private struct WipedPanel {
    static let (width, height) = (320.0, 180.0)
    let key = PanelKey(
      device: "1:2@usb-1", x: PanelAxis(minimum: 0, maximum: 15_999, resolution: 50),
      y: PanelAxis(minimum: 100, maximum: 9_099, resolution: 50))
    var chance: SeededGenerator
    /// The dead lines.
    var vertical: Set<Int> = []
    var horizontal: Set<Int> = []
    /// Whether a dead line ends a contact. Otherwise the contact has no report in it.
    var cuts = false

    /// Wipes in strokes from edge to edge, first sideways and then up and down.
    /// - Parameters:
    ///   - strokes: the number of strokes in each direction.
    ///   - part: the part of the width and the height that is wiped.
    mutating func wipe(strokes: Int, part: Double = 1) -> Wipe {
      var wipe = Wipe(of: key)
      var time: Int64 = 0
      var mint: UInt64 = 1
      var touches: [Int: TouchID] = [:]
      for stroke in 0..<2 * strokes {
        let isSideways = stroke < strokes
        let speed = Double.random(in: 200...500, using: &chance)
        let length = (isSideways ? Self.width : Self.height) * part
        let lane = (Double(stroke % strokes) + 0.5) / Double(strokes)
        for step in 0..<Int(length / speed * 100) {
          let along = Double(step) * speed / 100
          let off = lane * (isSideways ? Self.height : Self.width) * part
          var updates: [TouchUpdate] = []
          // The cloth has three contacts beside each other, which jitter.
          for contact in 0..<3 {
            let beside = off + Double(contact - 1) * 11 + .random(in: -1...1, using: &chance)
            let (x, y) = isSideways ? place(along, beside) : place(beside, along)
            let touch = touches[contact]
            if isSensed(x, y) {
              let id = touch ?? TouchID(mint)
              if touch == nil { mint += 1 }
              touches[contact] = id
              updates.append(update(id, touch == nil ? .began : .moved, x, y))
            } else if let touch, cuts || !isOnPanel(x, y) {
              touches[contact] = nil
              updates.append(update(touch, .ended, x, y))
            }
          }
          time += 10_000
          wipe.add(updates, at: Timestamp(microseconds: time))
        }
        // The cloth is lifted for the next stroke.
        time += 200_000
        wipe.add(
          touches.values.map { update($0, .ended, 0, 0) }, at: Timestamp(microseconds: time))
        touches = [:]
        time += 400_000
      }
      return wipe
    }

    /// Returns a place in whole units, as the panel reports it.
    private func place(_ x: Double, _ y: Double) -> (x: Int, y: Int) {
      (Int((x * 50).rounded(.down)), Int((y * 50).rounded(.down)))
    }

    private func isOnPanel(_ x: Int, _ y: Int) -> Bool {
      (0..<16_000).contains(x) && (0..<9_000).contains(y)
    }

    private func isSensed(_ x: Int, _ y: Int) -> Bool {
      isOnPanel(x, y) && !vertical.contains(x * PanelCounts.columns / 16_000)
        && !horizontal.contains(y * PanelCounts.rows / 9_000)
    }

    private func update(
      _ touch: TouchID, _ phase: Phase, _ x: Int, _ y: Int
    ) -> TouchUpdate {
      TouchUpdate(
        touch: touch, phase: phase, slot: 0, trackingID: 1, x: Int32(x), y: Int32(100 + y))
    }
  }

  @Test func `Dead lines are found in 95 of 100 wipes, and none is invented in healthy panels`() {
    var missed: [String] = []
    for number in 0..<100 {
      var panel = WipedPanel(chance: SeededGenerator(seed: UInt64(number)))
      let healthy = panel.wipe(strokes: 20)
      #expect(healthy.isComplete && healthy.deadPlaces(sight: nil).isEmpty, "\(number)")
      panel.cuts = number % 2 == 0
      panel.vertical = [.random(in: 1..<63, using: &panel.chance)]
      panel.horizontal = [.random(in: 1..<47, using: &panel.chance)]
      let wipe = panel.wipe(strokes: 20)
      let places = wipe.deadPlaces(sight: PanelSight())
      let isFound =
        places.map(\.direction) == [.vertical, .horizontal]
        && places.map { Set($0.lines.map { $0 - 1 }) } == [panel.vertical, panel.horizontal]
      if !isFound {
        missed.append(
          "\(number): \(panel.vertical), \(panel.horizontal), found \(places), \(wipe.isComplete)")
      }
    }
    #expect(missed.count <= 5, "\(missed.joined(separator: "\n"))")
  }

  @Test func `A wipe of a part of the glass tells nothing, although it crosses a dead line`() {
    var panel = WipedPanel(chance: SeededGenerator(seed: 1), vertical: [20])
    let wipe = panel.wipe(strokes: 20, part: 0.7)
    #expect(!wipe.isComplete && wipe.deadPlaces(sight: nil).isEmpty)
    #expect(panel.wipe(strokes: 20).deadPlaces(sight: nil).count == 1)
  }

  @Test func `Touches that began before the wipe tell nothing`() {
    let panel = WipedPanel(chance: SeededGenerator(seed: 1))
    var wipe = Wipe(of: panel.key)
    for step in 0..<400 {
      let update = TouchUpdate(
        touch: TouchID(1), phase: step == 0 ? .began : .moved, slot: 0, trackingID: 1,
        x: Int32(step * 40), y: Int32(100 + step * 22), preexisting: step == 0)
      wipe.add([update], at: Timestamp(microseconds: Int64(step) * 10_000))
    }
    #expect(!wipe.isComplete)
  }
}
