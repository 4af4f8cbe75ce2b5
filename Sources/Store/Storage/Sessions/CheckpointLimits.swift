/// The limits beyond which a session's own rows are written instead of another checkpoint. The daemon
/// has to read all checkpoints when it starts, and other programs that read the database ignore them.
enum CheckpointLimits {
  /// The size of all checkpoints of a session, in bytes.
  static let totalBytes = 256 << 10
  /// The size of one checkpoint, in bytes. Ten fingers that draw need less; deflating their rows
  /// takes some ten times as long.
  static let bytes = 32 << 10
  /// The part of `bytes` for the time and the totals, which takes 121 at most.
  static let headBytes = 256
  /// The number of checkpoints of a session.
  static let count = 60
  /// The time from the last activity in the rows to the newest activity, in ms. It limits the age
  /// of the rows while few touches cause few checkpoints.
  static let maxGap: Int64 = 300_000
}
