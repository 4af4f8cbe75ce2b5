/// The settings of a store.
public struct StoreOptions: Sendable {
  /// How long to wait for another process that has locked the database, in ms.
  public var busyMilliseconds: Int32
  /// Returns the kiosk's clock, in its time zone as it is set now.
  public var clock: @Sendable () -> LocalClock
  /// Called before a store of an earlier version is migrated. The migration reads all sessions.
  public var migrating: @Sendable (_ from: Int64, _ to: Int64) -> Void
  /// Called when the copy of the store is complete, before the migration changes the store.
  public var copied: @Sendable (_ path: String) -> Void = { _ in }

  public init(
    busyMilliseconds: Int32 = 5_000,
    clock: @escaping @Sendable () -> LocalClock = { .system },
    migrating: @escaping @Sendable (_ from: Int64, _ to: Int64) -> Void = { _, _ in }
  ) {
    self.busyMilliseconds = busyMilliseconds
    self.clock = clock
    self.migrating = migrating
  }
}
