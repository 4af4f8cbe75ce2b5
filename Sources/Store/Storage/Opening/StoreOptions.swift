/// The settings of a store.
public struct StoreOptions: Sendable {
  /// How long to wait for another process that has locked the database, in ms.
  public var busyMilliseconds: Int32
  /// Returns the kiosk's clock, in its time zone as it is set now.
  public var clock: @Sendable () -> LocalClock

  public init(
    busyMilliseconds: Int32 = 5_000,
    clock: @escaping @Sendable () -> LocalClock = { .system }
  ) {
    self.busyMilliseconds = busyMilliseconds
    self.clock = clock
  }
}
