/// The progress of a long operation.
public enum MaintenanceProgress: Sendable {
  /// Reports the number of items to process, and their name in the plural.
  case begins(Int, String)
  /// Reports that one more item is done.
  case advances
}
