internal import CLinux

/// Lets any thread wake a thread that waits for events (`eventfd`).
public struct WakeUp: ~Copyable, Sendable {
  private let event: FileDescriptor

  public init() throws(SystemError) {
    event = try FileDescriptor(touchgrid_eventfd_create(), "creating an event descriptor")
  }

  /// The descriptor to wait for. `ring` makes it readable.
  public var descriptor: Int32 { event.number }

  /// Wakes the waiting thread. May be called from any thread; several calls before `drain` count as
  /// one.
  public func ring() { touchgrid_eventfd_ring(event.number) }

  /// Makes the descriptor unreadable again.
  public func drain() { touchgrid_eventfd_drain(event.number) }
}
