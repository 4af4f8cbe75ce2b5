import TouchModel

/// One person's visit to the kiosk, as a session.
struct Visit {
  private static let display = "HDMI-A-1"
  private static let layers = Layer.allCases

  private struct View {
    var shown: UInt64 = 0
    var touches: UInt64 = 0
    var grids: [Layer: Counters] = [:]
    var controls: [ControlSums]

    init(_ screen: AppScreen) { controls = screen.buttons.map { _ in ControlSums() } }
  }

  private let geometry: DisplayGeometry
  private let placement: Placement
  private let byName: [String: AppScreen]
  /// The controls of the screens; empty to count none, and no changes of screens either.
  private var sets: [String: ControlSet] = [:]

  /// - Parameter isPlain: Whether to leave controls and changes of screens out.
  init?(isPlain: Bool) {
    guard
      let geometry = DisplayGeometry(
        pixelWidth: Screens.width, pixelHeight: Screens.height, scale: 1, rotation: .none,
        blockSize: 16)
    else { return nil }
    self.geometry = geometry
    byName = Dictionary(uniqueKeysWithValues: Screens.all.map { ($0.name, $0) })
    placement = Placement(
      device: "usb-0eef:0001", x: .init(minimum: 0, maximum: 4095),
      y: .init(minimum: 0, maximum: 4095), display: Self.display, geometry: geometry,
      displaySource: .drm)
    guard !isPlain else { return }
    for screen in Screens.all {
      let controls = screen.buttons.enumerated().compactMap { number, button -> Control? in
        let side = 2 * button.spread
        return Rectangle(
          x: button.x - button.spread, y: button.y - button.spread, width: side, height: side
        ).map { Control(name: "button \(number)", rectangle: $0) }
      }
      sets[screen.name] = ControlSet(controls, pointSize: 0.25)
    }
  }

  /// Returns a finished session of a random visit.
  /// - Parameter began: The session's start, in milliseconds of UTC.
  func session(_ id: Int64, began: Int64, _ dice: inout Dice) -> SessionRecord {
    var views: [String: View] = [:]
    var steps: [[String]: UInt64] = [:]
    var totals = SessionTotals()
    var name = "start"
    var clock = began
    for _ in 0..<Int.random(in: 2...14, using: &dice) {
      guard let screen = byName[name] else { break }
      var view = views[name] ?? View(screen)
      let next = visit(screen, &view, &dice)
      let shown = Int64(view.touches) * 900 + Int64.random(in: 1000...15_000, using: &dice)
      view.shown += UInt64(shown)
      clock += shown
      views[name] = view
      if let next, next != name { steps[[name, next], default: 0] += 1 }
      name = next ?? name
    }
    let shown = views.sorted { $0.key < $1.key }
    totals.counted = shown.reduce(0) { $0 + $1.value.touches }
    totals.palms = dice.chance(5) ? 1 : 0
    totals.begun = totals.counted + totals.palms
    return SessionRecord(
      id: id, began: WallTime(milliseconds: began), lastActive: WallTime(milliseconds: clock),
      end: .idle, tags: ["build": id % 2 == 0 ? "1.4" : "1.5"], totals: totals,
      changedViews: shown.map { name, view in
        ScreenView(
          key: key(name), shownMilliseconds: view.shown, touches: view.touches,
          placements: view.touches > 0 ? [placement] : [])
      },
      changedGrids: shown.flatMap { name, view in
        Self.layers.compactMap { layer in
          view.grids[layer].map { Grid(key: key(name), layer: layer, counters: $0) }
        }
      },
      changedCounts: shown.compactMap { name, view in
        guard let set = sets[name], view.touches > 0 else { return nil }
        return SubjectCounts(
          ControlCounts(key: key(name), set: set, numbers: view.controls.flatMap(\.numbers)))
      },
      dayCounts: sets.isEmpty
        ? []
        : flow(steps, from: "start", to: name, &dice).summed.map {
          SubjectCounts($0.subject, $0.numbers)
        })
  }

  /// Returns the changes of screens of a session.
  private func flow(
    _ steps: [[String]: UInt64], from first: String, to last: String, _ dice: inout Dice
  ) -> FlowCounts {
    let names = Set(steps.keys.joined()).union([first, last]).sorted()
    let screens = names.map { name in
      var screen = ScreenFlow(display: Self.display, screen: name)
      (screen.sessions, screen.entries) = (1, name == first ? 1 : 0)
      screen.visits = steps.reduce(0) { $1.key[1] == name ? $0 + $1.value : $0 }
      screen.firstTouches[Int.random(in: 2...12, using: &dice)] = screen.visits
      screen.pauses[Int.random(in: 2...12, using: &dice)] = screen.visits + 1
      if name == last { screen.exits[0] = 1 }
      return screen
    }
    return FlowCounts(
      sessions: 1, screens: screens,
      steps: steps.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { step in
        FlowStep(
          display: Self.display, from: step.key[0], to: step.key[1], times: step.value,
          sessions: 1)
      })
  }

  private func key(_ screen: String) -> GridKey {
    GridKey(display: Self.display, screen: screen, geometry: geometry)
  }

  /// Adds touches on a screen until one touches a button that leads to another screen, or enough
  /// touches are made.
  /// - Returns: The screen that the button leads to; without such a button, mostly `menu`,
  ///   otherwise `start`.
  private func visit(_ screen: AppScreen, _ view: inout View, _ dice: inout Dice) -> String? {
    let weights = screen.buttons.reduce(0) { $0 + $1.weight }
    for _ in 0..<Int.random(in: screen.touches, using: &dice) {
      view.touches += 1
      if dice.chance(screen.swipes) {
        swipe(screen.isSideways, &view, &dice)
      } else if dice.chance(6) {
        let (x, y) = (
          Double.random(in: 0..<1024, using: &dice), Double.random(in: 0..<768, using: &dice)
        )
        touch([(x, y)], milliseconds: 90, &view)
        aim(screen, x, y, &view)
      } else {
        var pick = Int.random(in: 0..<weights, using: &dice)
        for button in screen.buttons {
          pick -= button.weight
          if pick >= 0 { continue }
          let (x, y) = (
            button.x + dice.scatter(button.spread), button.y + dice.scatter(button.spread)
          )
          touch([(x, y)], milliseconds: UInt64.random(in: 50...260, using: &dice), &view)
          aim(screen, x, y, &view)
          if let next = button.next { return next }
          break
        }
      }
    }
    return dice.chance(70) ? "menu" : "start"
  }

  /// Adds a tap to the counts of the screen's controls.
  private func aim(_ screen: AppScreen, _ x: Double, _ y: Double, _ view: inout View) {
    guard let match = sets[screen.name]?.match(Point(x: x, y: y)) else { return }
    let button = screen.buttons[match.control]
    let (across, down) = (Int64((x - button.x).rounded()), Int64((y - button.y).rounded()))
    func add(_ scatter: inout ControlSums.Scatter) {
      scatter.count += 1
      (scatter.x, scatter.y) = (scatter.x + across, scatter.y + down)
      scatter.xx += across * across
      scatter.yy += down * down
      scatter.xy += across * down
    }
    if match.isHit { add(&view.controls[match.control].hits) }
    if match.isNear { add(&view.controls[match.control].nearMisses) }
    if let ring = match.ring {
      view.controls[match.control].beside[match.side.rawValue][ring] += 1
    }
    view.controls[match.control].sessions = min(1, view.controls[match.control].hits.count)
  }

  private func swipe(_ isSideways: Bool, _ view: inout View, _ dice: inout Dice) {
    var (x, y) = (
      Double.random(in: 200..<824, using: &dice), Double.random(in: 200..<600, using: &dice)
    )
    let step = 8.0 * (dice.chance(70) ? -1 : 1)
    let path = (0..<Int.random(in: 12...50, using: &dice)).map { _ in
      x += (isSideways ? step : 0) + dice.scatter(2)
      y += (isSideways ? 0 : step) + dice.scatter(2)
      return (x, y)
    }
    touch(path, milliseconds: 8 * UInt64(path.count), &view)
  }

  /// Adds a touch to the counts of a view.
  /// - Parameter path: Points that are at most one block apart.
  private func touch(_ path: [(Double, Double)], milliseconds: UInt64, _ view: inout View) {
    let blocks = path.map { x, y in
      geometry.index(
        of: Block(
          column: Int(min(max(x, 0), 1023)) / 16, row: Int(min(max(y, 0), 767)) / 16))
    }
    var previous: Int?
    for block in blocks {
      if previous == nil { count(1, .taps, block, &view) }
      if block != previous { count(1, .trail, block, &view) }
      count(milliseconds / UInt64(path.count), .dwell, block, &view)
      previous = block
    }
  }

  private func count(_ amount: UInt64, _ layer: Layer, _ block: Int, _ view: inout View) {
    view.grids[layer, default: Counters(count: geometry.columns * geometry.rows)]
      .add(amount, at: block)
  }
}
