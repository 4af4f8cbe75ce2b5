public import TouchModel

extension API {
  /// What a grid counts: `taps`, `trail` or `dwell`.
  public typealias Layer = TouchModel.Layer

  /// A screen on one display geometry, with sums over the sessions of a span that showed it.
  public struct Screen: Codable, Hashable, Sendable {
    /// The name of the screen.
    public var screen: String
    /// The name of the display.
    public var display: String
    /// The geometry of the display at that time.
    public var geometry: Geometry
    /// The number of sessions that showed the screen.
    public var sessions: Int64
    /// The number of touches counted on it.
    public var touches: Int64
    /// How long these sessions showed it in total, in ms.
    public var shownMs: Int64

    /// Creates the value. Numbers above `Int64.max` become `Int64.max`.
    public init(key: GridKey, sessions: UInt64, touches: UInt64, shownMilliseconds: UInt64) {
      screen = key.screen
      display = key.display
      geometry = Geometry(key.geometry)
      self.sessions = Int64(clamping: sessions)
      self.touches = Int64(clamping: touches)
      shownMs = Int64(clamping: shownMilliseconds)
    }
  }

  /// One layer of one screen on one display geometry, summed over sessions. The arrays have
  /// `columns * rows` elements of the geometry, row by row from the top left. The unit of their
  /// values is touches (`taps`), blocks entered (`trail`) or milliseconds of contact (`dwell`).
  public struct Grid: Codable, Hashable, Sendable {
    /// The name of the screen.
    public var screen: String
    /// The name of the display.
    public var display: String
    /// The geometry of the display, and with it the shape of the arrays.
    public var geometry: Geometry
    /// What the grid counts.
    public var layer: Layer
    /// The number of sessions that showed the screen, with or without touches. `mean` divides by
    /// it.
    public var sessions: Int64
    /// The number of days of the local calendar on which these sessions began.
    public var days: Int64
    /// How long these sessions showed the screen in total, in ms.
    public var shownMs: Int64
    /// The number of touches counted on the screen.
    public var touches: Int64
    /// The rectangles that were masked in at least one of the sessions, in points. A low count
    /// inside them does not mean that few people touched there.
    public var masks: [Rectangle]
    /// For each block, the sum of the sessions' counts.
    public var sum: [Int64]
    /// For each block, the mean of the sessions' counts.
    public var mean: [Double]
    /// For each block, the sample variance (divided by n - 1) of the sessions' counts. nil for
    /// fewer than two sessions.
    public var variance: [Double]?
    /// For each block, the number of sessions that touched it.
    public var touchedSessions: [Int64]

    /// Creates the value. Numbers above `Int64.max` become `Int64.max`.
    /// - Parameters: `sum`, `mean`, `variance` and `touchedSessions` have `columns * rows` elements
    ///   each. All elements are finite, because JSON has neither NaN nor infinity.
    public init(
      key: GridKey, layer: Layer, sessions: UInt64, days: UInt64, shownMilliseconds: UInt64,
      touches: UInt64, masks: [TouchModel.Rectangle], sum: [Int64], mean: [Double],
      variance: [Double]?, touchedSessions: [Int64]
    ) {
      screen = key.screen
      display = key.display
      geometry = Geometry(key.geometry)
      self.layer = layer
      self.sessions = Int64(clamping: sessions)
      self.days = Int64(clamping: days)
      shownMs = Int64(clamping: shownMilliseconds)
      self.touches = Int64(clamping: touches)
      self.masks = masks.map { Rectangle($0) }
      self.sum = sum
      self.mean = mean
      self.variance = variance
      self.touchedSessions = touchedSessions
    }

    /// Creates the grid of a single session.
    /// - Parameters:
    ///   - grid: the counters of one layer.
    ///   - view: the view of the same screen, with its touches, its time shown and its masks.
    public init(_ grid: TouchModel.Grid, view: ScreenView) {
      let counts = (0..<grid.counters.count).map { Int64(clamping: grid.counters[$0]) }
      self.init(
        key: grid.key, layer: grid.layer, sessions: 1, days: 1,
        shownMilliseconds: view.shownMilliseconds, touches: view.touches, masks: view.masks,
        sum: counts,
        mean: counts.map(Double.init), variance: nil, touchedSessions: counts.map { $0.signum() })
    }
  }
}

extension TouchModel.Layer: Codable {}
