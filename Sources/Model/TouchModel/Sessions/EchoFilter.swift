/// Recognises echoes: touches of a panel that a virtual device repeats. It ensures that each touch
/// counts once. A program such as InputPlumber may take over the panel, and then only the virtual
/// device reports touches. If it does not, each touch arrives twice within moments. Positions are
/// not compared, because such programs rotate them.
///
/// The filter keeps the times of touch-downs, including those in masks. It keeps them no longer
/// than necessary, and only while an echo is possible.
struct EchoFilter: Sendable {
  /// The maximum delay of an echo after its original, in µs.
  static let window: Int64 = 50_000
  /// The time for which an unmatched touch-down is kept, in µs: the window, and the time to read
  /// the other device.
  static let retention = 2 * window
  private static let limit = 64

  struct TouchDown: Sendable {
    var touch: TouchID
    var device: Int
    var slot: Int
    var isVirtual: Bool
    var time: Timestamp
    /// The time when this touch-down is discarded, on `CLOCK_BOOTTIME`.
    var expires: Timestamp
    /// Whether the touch began while recording was paused.
    var isPaused = false
  }

  enum Verdict: Sendable {
    case original
    /// The touch-down repeats an earlier one.
    case echo
    /// The touch-down is the original of this earlier one, which is an echo. The echo came first
    /// because its device was read first.
    case originalOf(TouchDown)
  }

  /// Whether there are both a virtual device and a real one.
  var isNeeded = false {
    didSet { if !isNeeded { recent = [] } }
  }

  /// The unmatched touch-downs, in the order in which they were read. To remove one, create a new
  /// array: removing it in place would leave it in memory (docs/privacy.md).
  private var recent: [TouchDown] = []

  /// Forgets a device that was removed, because its index may be reused.
  mutating func forget(_ device: Int) { recent = recent.filter { $0.device != device } }

  /// Discards expired touch-downs. Call only when all pending events of all devices have been read.
  /// After a delay, all events of one device are read before those of the other, so an expired
  /// touch-down may still match one that is unread.
  /// - Parameter time: on `CLOCK_BOOTTIME`.
  mutating func advance(to time: Timestamp) {
    guard recent.contains(where: { $0.expires <= time }) else { return }
    recent = recent.filter { $0.expires > time }
  }

  /// The time of the next `advance`, on `CLOCK_BOOTTIME`; nil if no touch-down is kept.
  var nextDeadline: Timestamp? { recent.lazy.map(\.expires).min() }

  /// Matches a touch-down with an earlier one of the other kind of device. Keeps it if there is
  /// none.
  mutating func judge(_ touchDown: TouchDown) -> Verdict {
    guard isNeeded else { return .original }
    let pair = recent.firstIndex { other in
      guard other.isVirtual != touchDown.isVirtual else { return false }
      let delay = touchDown.isVirtual ? touchDown.time - other.time : other.time - touchDown.time
      return (0...Self.window).contains(delay)
    }
    if let pair {
      let other = recent[pair]
      recent = recent.filter { $0.touch != other.touch }
      return touchDown.isVirtual ? .echo : .originalOf(other)
    }
    recent = Array(recent.suffix(Self.limit - 1)) + [touchDown]
    return .original
  }
}
