import TouchModel

/// Makes sessions on a display of 1024 x 768 points with six touches on each screen. The same id
/// always makes the same session.
struct Sample {
  private static let display = "HDMI-A-1"
  private let geometry: DisplayGeometry
  private let placement: Placement

  init() {
    guard
      let geometry = DisplayGeometry(
        pixelWidth: 1024, pixelHeight: 768, scale: 1, rotation: .none, blockSize: 16)
    else { fatalError("such a display has a geometry") }
    self.geometry = geometry
    placement = Placement(
      device: "usb-0eef:0001", x: .init(minimum: 0, maximum: 4095),
      y: .init(minimum: 0, maximum: 4095), display: Self.display, geometry: geometry,
      displaySource: .drm)
  }

  /// Returns a finished session.
  /// - Parameters:
  ///   - screens: The number of screens that the session shows.
  ///   - began: The session's start, in milliseconds of UTC.
  func session(_ id: Int64, screens: Int, began: Int64) -> SessionRecord {
    var totals = SessionTotals()
    totals.begun = UInt64(screens * Self.touches)
    totals.counted = totals.begun
    // A session with one screen shows one of the app's ten screens.
    let shown = screens == 1 ? [Int(id % 10)] : Array(0..<screens)
    return SessionRecord(
      id: id, began: WallTime(milliseconds: began),
      lastActive: WallTime(milliseconds: began + 60_000), end: .idle, totals: totals,
      changedViews: shown.map { screen in
        ScreenView(
          key: key(screen), shownMilliseconds: 6000, touches: UInt64(Self.touches),
          placements: [placement])
      },
      changedGrids: shown.flatMap { screen in grids(screen, seed: Int(id)) })
  }

  private static let touches = 6

  private func key(_ screen: Int) -> GridKey {
    GridKey(display: Self.display, screen: "screen \(screen)", geometry: geometry)
  }

  /// Returns a grid of each layer. Every third touch is a swipe through twenty blocks.
  private func grids(_ screen: Int, seed: Int) -> [Grid] {
    let count = geometry.columns * geometry.rows
    var layers = Layer.allCases.map { ($0, Counters(count: count)) }
    for touch in 0..<Self.touches {
      let first = (seed &* 7919 &+ screen * 613 + touch * 1031) % (count - 20)
      for step in 0..<(touch % 3 == 0 ? 20 : 1) {
        for index in layers.indices {
          switch layers[index].0 {
          case .taps where step > 0: break
          case .taps, .trail: layers[index].1.add(1, at: first + step)
          case .dwell: layers[index].1.add(120, at: first + step)
          }
        }
      }
    }
    return layers.map { Grid(key: key(screen), layer: $0.0, counters: $0.1) }
  }
}
