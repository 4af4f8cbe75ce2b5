extension API {
  /// The permissions of a client. The configuration gives each role except `owner` to a group of
  /// users.
  public enum Role: String, CaseIterable, Codable, Sendable {
    /// May name the screen; begin, end and tag sessions; pause recording; add and remove masks; set
    /// the geometry and report the mode of displays.
    case app
    /// May read the status, the sessions and the grids.
    case read
    /// May watch live touches.
    case watch
    /// May learn whether the touchscreens are used, but not where.
    case signal
    /// May learn whether somebody touches, and pause recording.
    case operate
    /// May delete sessions (`Forget`). Only root and the user that the daemon runs as have this
    /// role.
    case owner
  }
}
