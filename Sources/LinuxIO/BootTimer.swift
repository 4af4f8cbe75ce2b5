internal import CLinux

/// A timer on `CLOCK_BOOTTIME`, readable once its time has come; after a suspend at once.
public struct BootTimer: ~Copyable {
  private let timer: FileDescriptor
  /// When it goes off, in microseconds; nil while it is not set.
  public private(set) var deadline: Int64?

  public init() throws(SystemError) {
    let number = touchgrid_timer_create()
    guard number >= 0 else { throw SystemError(context: "making a timer") }
    timer = FileDescriptor(owning: number)
  }

  public var descriptor: Int32 { timer.number }

  /// - Parameter microseconds: on `CLOCK_BOOTTIME`; a time that has passed goes off at once; nil unsets it.
  public mutating func set(_ microseconds: Int64?) throws(SystemError) {
    // 0 would unset it.
    let time = microseconds.map { max(1, $0) }
    guard touchgrid_timer_set(timer.number, time ?? 0) == 0 else {
      throw SystemError(context: "setting a timer")
    }
    deadline = time
  }

  /// To be called when the descriptor is readable: makes it quiet, and the timer unset.
  public mutating func acknowledge() throws(SystemError) { try set(nil) }
}
