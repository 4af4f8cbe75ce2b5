/// How far something is that takes long.
public enum CareProgress: Sendable {
  /// There are so many of these to look at, in the plural.
  case begins(Int, String)
  /// One more is done.
  case advances
}
