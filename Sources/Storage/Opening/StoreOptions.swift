public import TouchModel

/// What may differ between stores.
public struct StoreOptions: Sendable {
  /// How long to wait for another process that holds the database, in milliseconds.
  public var busyMilliseconds: Int32
  /// The calendar by which sessions belong to days: the kiosk's, in its time zone.
  public var calendar: @Sendable (WallTime) -> Day
  /// The hour of the kiosk's clock, 0 to 23.
  public var hour: @Sendable (WallTime) -> Int
  /// Called before a store of an earlier version becomes one of this, which reads all sessions.
  public var migrating: @Sendable (_ from: Int64, _ to: Int64) -> Void
  /// Called when the store as it was lies in a file of its own, before it changes.
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
