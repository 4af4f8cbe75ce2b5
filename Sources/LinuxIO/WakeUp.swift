internal import CLinux

/// By this another thread wakes the one that waits for events (`eventfd`).
public struct WakeUp: ~Copyable, Sendable {
  private let event: FileDescriptor

  public init() throws(SystemError) {
    let number = touchgrid_eventfd_create()
    guard number >= 0 else { throw SystemError(context: "making an event descriptor") }
    event = FileDescriptor(owning: number)
  }

  /// Readable once it has rung.
  public var descriptor: Int32 { event.number }

  /// From any thread. Ringing twice before it is heard is as ringing once.
  public func ring() { touchgrid_eventfd_ring(event.number) }

  /// Makes it quiet.
  public func drain() { touchgrid_eventfd_drain(event.number) }
}
