import TouchModel

/// A screen of the app: the places of its buttons, and how people use it.
struct AppScreen {
  struct Button {
    /// The button's centre, in points.
    var x: Double
    var y: Double
    /// How far from the centre fingers touch, in points.
    var spread: Double
    /// How often the button is touched, relative to the other buttons.
    var weight: Int
    /// The name of the screen that the button leads to, or nil if it leads to none.
    var next: String?
  }

  var name: String
  var buttons: [Button]
  /// The percentage of touches that are swipes.
  var swipes: Int
  /// Whether swipes are horizontal.
  var isSideways: Bool
  /// The range of the number of touches each time the screen is shown.
  var touches: ClosedRange<Int>
}

/// The ten screens of a shop's kiosk, 1024 x 768 points each.
enum Screens {
  static let width = 1024
  static let height = 768

  static let all: [AppScreen] = [
    AppScreen(
      name: "start", buttons: [button(512, 600, 90, 10, "menu"), button(960, 40, 25, 1, "help")],
      swipes: 0, isSideways: false, touches: 1...2),
    AppScreen(
      name: "menu", buttons: tiles(["food", "drinks", "desserts", "offers"], across: 2) + bar,
      swipes: 5, isSideways: false, touches: 1...3),
    AppScreen(
      name: "food", buttons: tiles(Array(repeating: "item", count: 12), across: 4) + bar,
      swipes: 40, isSideways: false, touches: 2...9),
    AppScreen(
      name: "drinks", buttons: tiles(Array(repeating: "item", count: 12), across: 4) + bar,
      swipes: 30, isSideways: false, touches: 2...6),
    AppScreen(
      name: "desserts", buttons: tiles(Array(repeating: "item", count: 8), across: 4) + bar,
      swipes: 20, isSideways: false, touches: 1...5),
    AppScreen(
      name: "offers", buttons: tiles(Array(repeating: "item", count: 3), across: 3) + bar,
      swipes: 60, isSideways: true, touches: 1...6),
    AppScreen(
      name: "item",
      buttons: [
        button(700, 640, 70, 10, "menu"), button(420, 640, 30, 5, nil),
        button(520, 640, 30, 3, nil), button(80, 80, 30, 3, "menu"),
      ], swipes: 15, isSideways: true, touches: 1...6),
    AppScreen(
      name: "cart",
      buttons: (0..<5).flatMap { row in
        [
          button(820, 160 + Double(row) * 90, 24, 2, nil),
          button(920, 160 + Double(row) * 90, 24, 1, nil),
        ]
      } + [button(820, 680, 90, 9, "checkout/pay"), button(120, 680, 60, 3, "menu")],
      swipes: 20, isSideways: false, touches: 1...6),
    AppScreen(
      name: "checkout/pay",
      buttons: [
        button(300, 380, 100, 8, nil), button(720, 380, 100, 6, nil),
        button(80, 700, 40, 1, "cart"),
      ], swipes: 0, isSideways: false, touches: 1...3),
    AppScreen(
      name: "help", buttons: [button(512, 700, 60, 4, "menu"), button(960, 40, 25, 3, "start")],
      swipes: 50, isSideways: false, touches: 1...8),
  ]

  /// The buttons that several screens share: two at the foot, and `help` at the top right.
  private static let bar = [
    button(100, 720, 50, 2, "menu"), button(900, 720, 60, 4, "cart"),
    button(980, 40, 20, 1, "help"),
  ]

  private static func button(
    _ x: Double, _ y: Double, _ spread: Double, _ weight: Int, _ next: String?
  ) -> AppScreen.Button {
    AppScreen.Button(x: x, y: y, spread: spread, weight: weight, next: next)
  }

  /// Lays out buttons as tiles over the middle of the screen.
  private static func tiles(_ targets: [String], across columns: Int) -> [AppScreen.Button] {
    let rows = (targets.count + columns - 1) / columns
    let (tileWidth, tileHeight) = (Double(width) / Double(columns), 580.0 / Double(rows))
    return targets.enumerated().map { index, target in
      button(
        (Double(index % columns) + 0.5) * tileWidth,
        90 + (Double(index / columns) + 0.5) * tileHeight,
        tileHeight / 4, 4, target)
    }
  }
}
