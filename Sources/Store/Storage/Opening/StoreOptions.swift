public import TouchModel

public struct StoreOptions: Sendable {
  /// The timeout for another process that has locked the database, in ms.
  public var busyMilliseconds: Int32
  /// Returns the kiosk's clock in its current time zone.
  public var clock: @Sendable () -> LocalClock

  /// The kinds of counts that the store keeps.
  public var kinds: CountKinds

  public init(
    busyMilliseconds: Int32 = 5_000, kinds: CountKinds = .all,
    clock: @escaping @Sendable () -> LocalClock = { .system }
  ) {
    self.kinds = kinds
    self.busyMilliseconds = busyMilliseconds
    self.clock = clock
  }
}
