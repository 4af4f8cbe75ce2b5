/// When sessions begin and end, and what is counted in them. Times in microseconds.
public struct SessionRules: Hashable, Sendable {
  public enum Mode: String, Sendable, CaseIterable {
    /// The first touch opens a session.
    case automatic
    /// Only clients begin and end sessions.
    case manual
  }
  public var mode: Mode
  /// Without a finger for so long a session is over; on `CLOCK_BOOTTIME`.
  public var idleTimeout: Int64
  /// The longest automatic session.
  public var maxDuration: Int64
  /// How late a screen's name may arrive after the change that it reports.
  public var lateNames: Int64
  /// How old what is not yet handed to the store may become.
  public var checkpoint: Int64
  public var layers: Set<Layer>
  /// Whether suspected ghosts are kept apart.
  public var separatesGhosts: Bool

  public init(
    mode: Mode = .automatic, idleTimeout: Int64 = 60_000_000, maxDuration: Int64 = 7_200_000_000,
    lateNames: Int64 = 250_000, checkpoint: Int64 = 5_000_000,
    layers: Set<Layer> = Set(Layer.allCases), separatesGhosts: Bool = true
  ) {
    self.mode = mode
    self.idleTimeout = idleTimeout
    self.maxDuration = maxDuration
    self.lateNames = lateNames
    self.checkpoint = checkpoint
    self.layers = layers
    self.separatesGhosts = separatesGhosts
  }
}
