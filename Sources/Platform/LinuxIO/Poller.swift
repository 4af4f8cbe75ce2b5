internal import CLinux

/// An epoll instance, level-triggered. Descriptors are identified by tokens that the owner chooses,
/// so that a stale event of a closed descriptor is never mistaken for one of a new descriptor.
public struct Poller: ~Copyable {
  public struct Ready: Sendable {
    public let token: UInt64
    /// Data can be read.
    public let isReadable: Bool
    /// There is room for output.
    public let isWritable: Bool
    /// The other end is closed (`EPOLLHUP`, `EPOLLERR`). This is reported until the descriptor is
    /// removed.
    public let isBroken: Bool
  }

  /// The events to watch for. `Ready.isBroken` is always reported.
  public struct Interest: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let input = Interest(rawValue: 1)
    public static let output = Interest(rawValue: 2)
  }

  private let epoll: FileDescriptor
  private var batch: [touchgrid_ready]

  public init() throws(SystemError) {
    epoll = try FileDescriptor(touchgrid_epoll_create(), "creating an epoll instance")
    batch = Array(repeating: touchgrid_ready(), count: 32)
  }

  /// The descriptor of epoll. It is readable when a watched descriptor has an event, so that one
  /// poller can watch another.
  public var descriptor: Int32 { epoll.number }

  /// Watches a descriptor for input. The owner must call `remove` before it closes the descriptor.
  public func add(_ descriptor: Int32, token: UInt64) throws(SystemError) {
    try set(descriptor, token: token, isNew: true, [.input])
  }

  /// Changes the events for which a descriptor is watched.
  public func setInterest(
    _ interest: Interest, of descriptor: Int32, token: UInt64
  ) throws(SystemError) {
    try set(descriptor, token: token, isNew: false, interest)
  }

  private func set(
    _ descriptor: Int32, token: UInt64, isNew: Bool, _ interest: Interest
  ) throws(SystemError) {
    let result = touchgrid_epoll_set(
      epoll.number, descriptor, token, isNew ? 1 : 0, interest.contains(.input) ? 1 : 0,
      interest.contains(.output) ? 1 : 0)
    guard result == 0 else { throw SystemError(context: "watching a descriptor") }
  }

  public func remove(_ descriptor: Int32) {
    _ = touchgrid_epoll_remove(epoll.number, descriptor)
  }

  /// Waits for at least one event.
  /// - Parameters:
  ///   - ready: receives the events, at most 32; empty after a timeout.
  ///   - milliseconds: the maximum time to wait; 0: do not wait; nil: no limit.
  public mutating func wait(
    into ready: inout [Ready], atMost milliseconds: Int32? = nil
  ) throws(SystemError) {
    ready.removeAll(keepingCapacity: true)
    let count = unsafe touchgrid_epoll_wait(
      epoll.number, &batch, Int32(batch.count), milliseconds ?? -1)
    guard count >= 0 else { throw SystemError(context: "waiting for events") }
    for index in 0..<Int(count) {
      let event = batch[index]
      ready.append(
        Ready(
          token: event.token, isReadable: event.is_readable != 0,
          isWritable: event.is_writable != 0, isBroken: event.is_broken != 0))
    }
  }
}
