/// The way in which the displayed value of a block is computed from its counts.
public enum GridValue: String, CaseIterable, Sendable {
  /// The mean of the sessions: `sum / sessions`.
  case mean
  /// The sum over all sessions.
  case sum
  /// The sum divided by the minutes that the screen was shown.
  case rate
}
