public import TouchModel

extension API {
  public typealias Layer = TouchModel.Layer

  public struct Screen: Codable, Hashable, Sendable {
    public var screen: String
    public var display: String
    public var geometry: Geometry
    public var sessions: Int64
    public var touches: Int64
    public var shownMs: Int64

    public init(key: GridKey, sessions: UInt64, touches: UInt64, shownMilliseconds: UInt64) {
      screen = key.screen
      display = key.display
      geometry = Geometry(key.geometry)
      self.sessions = Int64(clamping: sessions)
      self.touches = Int64(clamping: touches)
      shownMs = Int64(clamping: shownMilliseconds)
    }
  }

  public struct Grid: Codable, Hashable, Sendable {
    public var screen: String
    public var display: String
    public var geometry: Geometry
    public var layer: Layer
    public var sessions: Int64
    public var days: Int64
    public var shownMs: Int64
    public var touches: Int64
    public var masks: [Rectangle]
    public var sum: [Int64]
    public var mean: [Double]
    public var variance: [Double]?
    public var touchedSessions: [Int64]

    /// - Parameters: `sum`, `mean`, `variance` and `touchedSessions`: `columns * rows` elements each,
    ///   all finite: JSON has no word for what is not.
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

    /// A grid of one session, as it stands.
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
