/// The rules for the beginning, the end and the counts of sessions. Times are in µs.
public struct SessionRules: Hashable, Sendable {
  public enum Mode: String, Sendable, CaseIterable {
    /// The first touch opens a session.
    case automatic
    /// Only clients begin and end sessions.
    case manual
  }
  public var mode: Mode
  /// The time without a touch after which a session ends, on `CLOCK_BOOTTIME`.
  public var idleTimeout: Int64
  /// The maximum duration of an automatic session.
  public var maxDuration: Int64
  /// The maximum delay of a screen's name after the change that it reports.
  public var lateNames: Int64
  /// The maximum age of changes that were not yet passed to the store.
  public var checkpoint: Int64
  public var layers: Set<Layer>
  /// Whether suspected ghosts are counted separately.
  public var separatesGhosts: Bool
  /// Whether each touchscreen's own counts are kept (`PanelCounts`).
  public var countsPanels: Bool
  /// Whether contacts of a hand that holds the device count like other touches; if not, they count
  /// as palms.
  public var countsGrips: Bool

  public init(
    mode: Mode = .automatic, idleTimeout: Int64 = 60_000_000, maxDuration: Int64 = 7_200_000_000,
    lateNames: Int64 = 250_000, checkpoint: Int64 = 5_000_000,
    layers: Set<Layer> = Set(Layer.allCases), separatesGhosts: Bool = true,
    countsPanels: Bool = true, countsGrips: Bool = true
  ) {
    self.mode = mode
    self.idleTimeout = idleTimeout
    self.maxDuration = maxDuration
    self.lateNames = lateNames
    self.checkpoint = checkpoint
    self.layers = layers
    self.separatesGhosts = separatesGhosts
    self.countsPanels = countsPanels
    self.countsGrips = countsGrips
  }
}
