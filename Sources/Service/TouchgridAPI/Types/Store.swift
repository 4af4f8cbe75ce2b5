extension API {
  /// The state of the store.
  public struct Store: Codable, Hashable, Sendable {
    /// The path of the database.
    public var path: String
    /// The size of the database and the files beside it, in bytes.
    public var bytes: Int64
    /// Why the last attempt to write failed; nil if it succeeded. The daemon keeps trying.
    public var error: String?
    /// The approximate size of the sessions that wait in memory to be written, in bytes. At 64 MiB
    /// the daemon discards ended sessions, oldest first.
    public var waitingBytes: Int64
    /// How long the current write has taken, in ms; nil while there is nothing to write. A large
    /// value means that the disk hangs.
    public var busyForMs: Int64?
    /// The number of ended sessions that the daemon has discarded since it started, because neither
    /// the disk nor the memory had room for them.
    public var givenUp: Int64
    /// The path to which the daemon has moved a damaged store since it started; nil if it has not.
    /// `touchgrid store recover` reads what is left in that file.
    public var movedAside: String?

    /// Creates a value with these members.
    package init(
      path: String, bytes: Int64, error: String? = nil, waitingBytes: Int64 = 0,
      busyForMs: Int64? = nil, givenUp: Int64 = 0, movedAside: String? = nil
    ) {
      self.path = path
      self.bytes = bytes
      self.error = error
      self.waitingBytes = waitingBytes
      self.busyForMs = busyForMs
      self.givenUp = givenUp
      self.movedAside = movedAside
    }
  }
}
