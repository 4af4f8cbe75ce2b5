internal import CLinux

/// A timer on `CLOCK_BOOTTIME`, whose descriptor is readable once it has expired. A timer that
/// became due during a suspend expires as soon as the system resumes.
public struct BootTimer: ~Copyable {
  private let timer: FileDescriptor
  /// The expiry time, in µs; nil while the timer is disarmed.
  public private(set) var deadline: Int64?

  public init() throws(SystemError) {
    timer = try FileDescriptor(touchgrid_timer_create(), "creating a timer")
  }

  public var descriptor: Int32 { timer.number }

  /// Arms or disarms the timer.
  /// - Parameter microseconds: the time on `CLOCK_BOOTTIME`; if it has passed, the timer expires at
  ///   once. nil disarms the timer.
  public mutating func set(_ microseconds: Int64?) throws(SystemError) {
    // 0 would disarm the timer.
    let time = microseconds.map { max(1, $0) }
    guard touchgrid_timer_set(timer.number, time ?? 0) == 0 else {
      throw SystemError(context: "setting a timer")
    }
    deadline = time
  }

  /// Disarms the timer and makes the descriptor unreadable. Call it when the timer has expired.
  public mutating func acknowledge() throws(SystemError) { try set(nil) }
}
