public import TouchModel

/// The settings of a store.
public struct StoreOptions: Sendable {
  /// How long to wait for another process that has locked the database, in ms.
  public var busyMilliseconds: Int32
  /// Returns the day in the kiosk's calendar, in its time zone.
  public var calendar: @Sendable (WallTime) -> Day
  /// Returns the hour of the kiosk's clock, 0 to 23.
  public var hour: @Sendable (WallTime) -> Int
  /// Called before a store of an earlier version is migrated. The migration reads all sessions.
  public var migrating: @Sendable (_ from: Int64, _ to: Int64) -> Void
  /// Called when the copy of the store is complete, before the migration changes the store.
  public var copied: @Sendable (_ path: String) -> Void = { _ in }

  public init(
    busyMilliseconds: Int32 = 5_000,
    calendar: @escaping @Sendable (WallTime) -> Day = { Day(local: $0) },
    hour: @escaping @Sendable (WallTime) -> Int = { Day.localHour(of: $0) },
    migrating: @escaping @Sendable (_ from: Int64, _ to: Int64) -> Void = { _, _ in }
  ) {
    self.busyMilliseconds = busyMilliseconds
    self.calendar = calendar
    self.hour = hour
    self.migrating = migrating
  }
}
