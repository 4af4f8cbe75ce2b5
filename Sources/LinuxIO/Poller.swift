internal import CLinux

/// An epoll instance that watches descriptors for input, level-triggered. It knows them by tokens that its
/// owner chooses, so that a stale event of a closed descriptor cannot be taken for a new one's.
public struct Poller: ~Copyable {
  public struct Ready: Sendable {
    public let token: UInt64
    /// There is something to read.
    public let isReadable: Bool
    /// The other end is gone (`EPOLLHUP`, `EPOLLERR`): it stays so until the descriptor is removed.
    public let isBroken: Bool
  }

  private let epoll: FileDescriptor
  private var batch: [touchgrid_ready]

  public init() throws(SystemError) {
    let number = touchgrid_epoll_create()
    guard number >= 0 else { throw SystemError(context: "making an epoll instance") }
    epoll = FileDescriptor(owning: number)
    batch = Array(repeating: touchgrid_ready(), count: 32)
  }

  /// The descriptor must be removed before it is closed.
  public func add(_ descriptor: Int32, token: UInt64) throws(SystemError) {
    guard touchgrid_epoll_add(epoll.number, descriptor, token) == 0 else {
      throw SystemError(context: "watching a descriptor")
    }
  }

  public func remove(_ descriptor: Int32) {
    _ = touchgrid_epoll_remove(epoll.number, descriptor)
  }

  /// Waits for at least one event, without end, and puts what is ready into `ready`.
  public mutating func wait(into ready: inout [Ready]) throws(SystemError) {
    ready.removeAll(keepingCapacity: true)
    let count = unsafe touchgrid_epoll_wait(epoll.number, &batch, Int32(batch.count))
    guard count >= 0 else { throw SystemError(context: "waiting for events") }
    for event in batch.prefix(Int(count)) {
      ready.append(
        Ready(
          token: event.token, isReadable: event.is_readable != 0,
          isBroken: event.is_broken != 0))
    }
  }
}
