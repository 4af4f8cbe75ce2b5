/// What makes the screen dark and light again, and what closes it for cleaning.
public struct GuardOptions: Sendable {
  /// The time without touches, in ms, after which the guard makes the screen dark; nil: never.
  public var idleAfter: Int64?
  /// The shell command that makes the screen dark; nil: the desktop switches the outputs off.
  public var dim: String?
  /// The shell command that the waking touch runs; nil: the desktop switches the outputs on.
  public var wake: String?
  /// The socket that closes the glass for cleaning when two corners are held; nil: they are not
  /// watched.
  public var corners: String?

  public init(idleAfter: Int64?, dim: String?, wake: String?, corners: String?) {
    self.idleAfter = idleAfter
    self.dim = dim
    self.wake = wake
    self.corners = corners
  }
}
