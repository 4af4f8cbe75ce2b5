extension API {
  /// What a client may do.
  public enum Role: String, CaseIterable, Codable, Sendable {
    /// Name the screen; begin, end and tag sessions; pause, mask, turn displays.
    case app
    /// Status, sessions, grids.
    case read
    /// Live touches.
    case watch
    /// Forget: root and the user that the daemon runs as, and no group.
    case owner
  }
}
