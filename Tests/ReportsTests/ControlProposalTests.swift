import Heatmaps
import TestSupport
import Testing
import TouchModel

@testable import Reports

/// Proposed controls of simulated screens, compared with their true buttons.
@Suite struct ControlProposalTests {
  private func overlap(_ one: Rectangle, _ other: Rectangle) -> Double {
    let width = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    let height = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return max(0, width) * max(0, height)
  }

  private func middle(_ area: Rectangle) -> Point {
    Point(x: area.x + area.width / 2, y: area.y + area.height / 2)
  }

  /// Whether a spot's middle lies in a button, and half of each in the other.
  private func isFound(_ button: Rectangle, by spot: Rectangle) -> Bool {
    let common = overlap(button, spot)
    return button.contains(middle(spot)) && common >= button.width * button.height / 2
      && common >= spot.width * spot.height / 2
  }

  private func proposals(
    _ screen: SimulatedScreen, hasPicture: Bool = false, masks: [Rectangle] = [],
    controls: [Rectangle] = []
  ) -> ControlProposals {
    ControlProposals(
      screen.grid(.taps, masks: masks), trail: screen.grid(.trail),
      picture: hasPicture ? screen.picture() : nil, besides: controls)
  }

  @Test(arguments: [60, 300, 1500], [false, true])
  func `Nine of ten buttons with 30 taps are found, and at most one other place a screen`(
    sessions: Int, hasPicture: Bool
  ) throws {
    var (found, all) = (0, 0)
    for seed in 0..<30 as Range<UInt64> {
      var screen = try SimulatedScreen(seed: seed)
      screen.visit(0..<sessions)
      let spots = proposals(screen, hasPicture: hasPicture).spots
      for (button, hits) in zip(screen.buttons, screen.hits) where hits >= 30 {
        all += 1
        if spots.contains(where: { isFound(button, by: $0.rectangle) && !$0.isMask }) { found += 1 }
      }
      let others = spots.filter { spot in
        !screen.buttons.contains { $0.contains(middle(spot.rectangle)) }
          && !screen.deadPlaces.contains { SimulatedScreen.isIn(spot.rectangle, $0, within: 8) }
      }
      #expect(others.count <= 1, "screen \(seed): \(others)")
    }
    #expect(Double(found) >= 0.9 * Double(all), "\(found) of \(all)")
  }

  @Test func `Spots have numbers, shares and the edges of shapes`() throws {
    var screen = try SimulatedScreen(seed: 3)
    screen.visit(0..<1500)
    let spots = proposals(screen, hasPicture: true).spots
    #expect(spots.map(\.number) == Array(1...spots.count))
    #expect(zip(spots, spots.dropFirst()).allSatisfy { $0.touches >= $1.touches })
    let shares = spots.map(\.share).reduce(0, +)
    #expect(shares > 0.8 && shares <= 1, "\(shares)")
    for (button, hits) in zip(screen.buttons, screen.hits) where hits >= 100 {
      // The border of 2 points has a colour of its own.
      let inner = Rectangle(
        x: button.x + 2, y: button.y + 2, width: button.width - 4, height: button.height - 4)
      #expect(spots.contains { $0.rectangle == inner || $0.rectangle == button }, "\(button)")
    }
  }

  @Test(arguments: [false, true])
  func `A keypad becomes a mask, and no control`(hasPicture: Bool) throws {
    for seed in 0..<10 as Range<UInt64> {
      var screen = try SimulatedScreen(seed: seed, hasKeypad: true)
      screen.visit(0..<300)
      let spots = proposals(screen, hasPicture: hasPicture).spots
      let masks = spots.filter(\.isMask).map(\.rectangle)
      for key in screen.keys {
        let covered = masks.map { overlap($0, key) }.max() ?? 0
        #expect(covered >= 0.8 * key.width * key.height, "screen \(seed): \(key), \(masks)")
        #expect(!spots.contains { !$0.isMask && key.contains(middle($0.rectangle)) })
      }
      #expect(spots.contains { !$0.isMask })
    }
  }

  @Test(arguments: [false, true])
  func `Nothing is proposed that touches a mask, and shapes under a mask are not looked at`(
    hasPicture: Bool
  ) throws {
    for seed in 0..<10 as Range<UInt64> {
      var screen = try SimulatedScreen(seed: seed)
      screen.visit(0..<300)
      // It covers half of a button, and all that lies around.
      let button = screen.buttons[0]
      let mask = try #require(
        Rectangle(x: button.x + button.width / 2, y: button.y - 20, width: 300, height: 300))
      let spots = proposals(screen, hasPicture: hasPicture, masks: [mask]).spots
      #expect(!spots.contains { $0.rectangle.isNear(mask, within: 0) }, "screen \(seed)")
      #expect(!spots.isEmpty)
      var picture = screen.picture()
      for index in picture.values.indices {
        let place = Point(x: Double(index % 1280) + 0.5, y: Double(index / 1280) + 0.5)
        if mask.contains(place) { picture.values[index] = UInt32(truncatingIfNeeded: index * 7919) }
      }
      let others = ControlProposals(
        screen.grid(.taps, masks: [mask]), trail: screen.grid(.trail),
        picture: hasPicture ? picture : nil)
      #expect(others.spots == spots)
      // A mask that holds only now is kept clear as well.
      let now = ControlProposals(
        screen.grid(.taps), trail: screen.grid(.trail), masks: [mask])
      #expect(!now.spots.contains { $0.rectangle.isNear(mask, within: 0) }, "screen \(seed)")
    }
  }

  @Test func `Nothing is proposed from fewer than ten sessions`() throws {
    for (sessions, isEmpty) in [(9, true), (40, false)] {
      var screen = try SimulatedScreen(seed: 1, hasKeypad: true)
      // The same people come again and again.
      for _ in 0..<60 { screen.visit(0..<sessions) }
      let spots = proposals(screen).spots
      #expect(spots.isEmpty == isEmpty, "\(sessions): \(spots)")
    }
  }

  @Test func `Without the counts of single sessions, only a block shows their number`() throws {
    var screen = try SimulatedScreen(seed: 2)
    screen.visit(0..<60)
    var taps = screen.grid(.taps)
    let known = proposals(screen).spots
    taps.sessionCounts = nil
    let spots = ControlProposals(taps, trail: screen.grid(.trail)).spots
    #expect(spots.count < known.count)
    // Without the others, their neighbours may be larger.
    for spot in spots {
      let same = known.filter { overlap($0.rectangle, spot.rectangle) > 0 }
      #expect(same.contains { $0.touches == spot.touches })
    }
  }

  @Test func `Where fingers are dragged, only a shape makes a spot`() throws {
    var screen = try SimulatedScreen(seed: 4)
    screen.visit(0..<300)
    let button = middle(screen.buttons[0])
    screen.drag(from: button, blocks: 20)
    #expect(!proposals(screen).spots.contains { $0.rectangle.contains(button) })
    #expect(
      proposals(screen, hasPicture: true).spots
        .contains { isFound(screen.buttons[0], by: $0.rectangle) })
  }

  @Test func `Described controls are not proposed again`() throws {
    var screen = try SimulatedScreen(seed: 5)
    screen.visit(0..<300)
    let spots = proposals(screen, controls: [screen.buttons[0]]).spots
    #expect(!spots.contains { overlap($0.rectangle, screen.buttons[0]) > 0 })
    #expect(spots.count == proposals(screen).spots.count - 1)
    #expect(proposals(screen, controls: screen.buttons).spots.count <= screen.deadPlaces.count + 1)
  }
}
