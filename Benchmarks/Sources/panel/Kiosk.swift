import Foundation
import TouchModel

/// A kiosk with made-up screens, and people who use it. Their contacts are parts of recorded ones.
struct Kiosk {
  struct Button {
    /// The middle, in mm.
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    var weight: Double
  }

  /// What people of one kind do.
  struct Screen {
    var buttons: [Button]
    /// Where people swipe, in mm.
    var swipes: (x: ClosedRange<Double>, y: ClosedRange<Double>)
    /// The share of swipes in their touches.
    var swipeShare: Double
    /// Where they flick: a slider or a drawer, in mm.
    var handle: (x: Double, y: Double)
  }

  /// The number of kinds of people. Their shares differ from day to day.
  static let kinds = 4

  let panel: RealPanel
  var screens: [Screen]

  init(_ panel: RealPanel, _ dice: inout Dice) {
    self.panel = panel
    screens = (0..<Self.kinds).map { _ in Self.screen(panel, &dice) }
  }

  private static func screen(_ panel: RealPanel, _ dice: inout Dice) -> Screen {
    let columns = 2 + dice.below(4)
    let rows = 2 + dice.below(3)
    let (width, height) = (panel.width / Double(columns), panel.height / Double(rows))
    var buttons: [Button] = []
    for row in 0..<rows {
      for column in 0..<columns where dice.chance(0.7) {
        buttons.append(
          Button(
            x: (Double(column) + dice.between(0.4, 0.6)) * width,
            y: (Double(row) + dice.between(0.4, 0.6)) * height,
            width: min(width * 0.8, dice.between(10, 40)),
            height: min(height * 0.8, dice.between(10, 25)), weight: dice.between(0.3, 2)))
      }
    }
    if buttons.isEmpty {
      buttons = [Button(x: panel.width / 2, y: panel.height / 2, width: 20, height: 20, weight: 1)]
    }
    let left = dice.between(0, 0.4) * panel.width
    let top = dice.between(0, 0.4) * panel.height
    return Screen(
      buttons: buttons,
      swipes: (left...(left + 0.55 * panel.width), top...(top + 0.55 * panel.height)),
      swipeShare: dice.between(0.1, 0.35),
      handle: (
        dice.between(0.05, 0.95) * panel.width, dice.between(0.05, 0.95) * panel.height
      ))
  }

  /// Makes up the contacts of one session, in chronological order of their beginnings.
  func session(of kind: Int, _ dice: inout Dice) -> [Path] {
    let screen = screens[kind]
    var time: Int64 = 0
    var paths: [Path] = []
    // Where a person touches a button, and how exactly, is a habit.
    let habit = (x: dice.normal(1), y: 1 + dice.normal(1))
    for _ in 0..<(2 + dice.count(5)) {
      time += Int64(dice.between(500_000, 3_000_000))
      paths += touch(on: screen, at: time, habit, &dice)
    }
    return paths.filter { !$0.isEmpty }
  }

  private func touch(
    on screen: Screen, at time: Int64, _ habit: (x: Double, y: Double), _ dice: inout Dice
  ) -> [Path] {
    let what = dice.share()
    if what < screen.swipeShare { return [swipe(on: screen, at: time, &dice)] }
    if what > 0.98 { return pinch(at: time, &dice) }
    var place: (x: Double, y: Double)
    if what > 0.9 {
      place = (dice.between(0, panel.width), dice.between(0, panel.height))
    } else {
      let button = screen.buttons[dice.choose(screen.buttons.map(\.weight))]
      place = (
        button.x + habit.x + dice.normal(1.8) + dice.between(-0.2, 0.2) * button.width,
        button.y + habit.y + dice.normal(1.8) + dice.between(-0.2, 0.2) * button.height
      )
    }
    let microseconds = dice.chance(0.004) ? 8000 : Int64(dice.between(50_000, 180_000))
    let part = panel.part(lasting: microseconds, &dice)
    // A finger that taps slides less than one that draws.
    let slide = dice.between(0, 0.25)
    return [
      inside(
        panel.placed(
          part, at: time, place.x, place.y,
          mirror: (dice.chance(0.5) ? slide : -slide, dice.chance(0.5) ? slide : -slide)))
    ]
  }

  private func swipe(on screen: Screen, at time: Int64, _ dice: inout Dice) -> Path {
    let part = panel.part(lasting: Int64(dice.between(200_000, 900_000)), &dice)
    var x = dice.between(screen.swipes.x.lowerBound, screen.swipes.x.upperBound)
    var y = dice.between(screen.swipes.y.lowerBound, screen.swipes.y.upperBound)
    // A third begins at the handle, at once as fast as in the middle of the recorded contact.
    if dice.chance(0.33) {
      (x, y) = (screen.handle.x + dice.normal(1.5), screen.handle.y + dice.normal(1.5))
    }
    return inside(
      panel.placed(
        part, at: time, x, y,
        mirror: (dice.chance(0.5) ? 1 : -1, dice.chance(0.5) ? 1 : -1)))
  }

  /// Two fingers, sometimes close to each other.
  private func pinch(at time: Int64, _ dice: inout Dice) -> [Path] {
    let (x, y) = (dice.between(30, panel.width - 30), dice.between(30, panel.height - 30))
    let apart = dice.between(12, 50)
    let angle = dice.between(0, 2 * .pi)
    return [(0, 0.0), (Int64(dice.between(0, 30_000)), apart)].map { delay, distance in
      inside(
        panel.placed(
          panel.part(lasting: Int64(dice.between(150_000, 600_000)), &dice), at: time + delay,
          x + distance * cos(angle), y + distance * sin(angle), mirror: (0.5, 0.5)))
    }
  }

  /// Somebody wipes the panel: a cloth makes many contacts, which come and go.
  func cleaning(_ dice: inout Dice) -> [Path] {
    var paths: [Path] = []
    for _ in 0..<(5 + dice.below(30)) {
      let time = Int64(dice.between(0, 20_000_000))
      var path = inside(
        panel.placed(
          panel.part(lasting: Int64(dice.between(5_000, 700_000)), &dice), at: time,
          dice.between(0, panel.width), dice.between(0, panel.height),
          mirror: (dice.chance(0.5) ? 2 : -2, dice.chance(0.5) ? 2 : -2)))
      path = path.filter { _ in dice.chance(0.8) }
      if !path.isEmpty { paths.append(path) }
    }
    return paths.sorted { $0[0].time < $1[0].time }
  }

  /// Contacts at random places, as electrical noise makes them, within an hour.
  func noise(_ count: Int, _ dice: inout Dice) -> [Path] {
    (0..<count).map { _ in
      let (x, y) = (dice.between(0, panel.width), dice.between(0, panel.height))
      let raw = panel.placed(
        [Report(time: 0, x: 0, y: 0)], at: Int64(dice.between(0, 3_590_000_000)), x, y,
        mirror: (1, 1))
      return raw
    }.sorted { $0[0].time < $1[0].time }
  }

  /// Ends a path where it leaves the panel.
  private func inside(_ path: Path) -> Path {
    Array(
      path.prefix {
        $0.x >= Double(panel.x.minimum) && $0.x <= Double(panel.x.maximum)
          && $0.y >= Double(panel.y.minimum) && $0.y <= Double(panel.y.maximum)
      })
  }
}
