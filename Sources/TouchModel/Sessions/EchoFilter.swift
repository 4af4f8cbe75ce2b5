/// Tells the touches of a panel from their repetition by a virtual device, so that one screen is counted
/// once. A program such as InputPlumber may take the panel for itself, and then the virtual device alone
/// speaks; where it does not, each touch comes twice within moments. Points are not compared: such programs
/// turn them.
///
/// It keeps when fingers landed, those in masks too: no longer than it must, and only where there can be an echo.
struct EchoFilter: Sendable {
  /// An echo follows its touch within this, in microseconds.
  static let window: Int64 = 50_000
  /// How long a landing waits for its other, in microseconds: the window, and the other being read.
  static let patience = 2 * window
  private static let limit = 64

  struct Landing: Sendable {
    var touch: TouchID
    var device: Int
    var slot: Int
    var isVirtual: Bool
    var time: Timestamp
    /// When it waits no longer, on `CLOCK_BOOTTIME`.
    var expires: Timestamp
    /// Began while recording was paused.
    var isPaused = false
  }

  enum Verdict: Sendable {
    case original
    /// The landing repeats an earlier one.
    case echo
    /// The landing is the original of one that came first because its device was read first.
    case originalOf(Landing)
  }

  /// There are a virtual device and a real one.
  var isNeeded = false {
    didSet { if !isNeeded { recent = [] } }
  }

  /// Landings not yet paired, in the order in which they were read. Whoever takes one away takes a new array:
  /// the memory of the old would keep it.
  private var recent: [Landing] = []

  /// The device is gone, and its number may come to mean another.
  mutating func forget(_ device: Int) { recent = recent.filter { $0.device != device } }

  /// To be called once all that waits of all devices has been read: where we are late, all of one device is
  /// read before that of the other.
  /// - Parameter time: on `CLOCK_BOOTTIME`.
  mutating func advance(to time: Timestamp) {
    guard recent.contains(where: { $0.expires <= time }) else { return }
    recent = recent.filter { $0.expires > time }
  }

  /// When `advance` has something to do, on `CLOCK_BOOTTIME`.
  var nextDeadline: Timestamp? { recent.lazy.map(\.expires).min() }

  mutating func judge(_ landing: Landing) -> Verdict {
    guard isNeeded else { return .original }
    let pair = recent.firstIndex { other in
      guard other.isVirtual != landing.isVirtual else { return false }
      let delay = landing.isVirtual ? landing.time - other.time : other.time - landing.time
      return (0...Self.window).contains(delay)
    }
    if let pair {
      let other = recent[pair]
      recent = recent.filter { $0.touch != other.touch }
      return landing.isVirtual ? .echo : .originalOf(other)
    }
    recent = Array(recent.suffix(Self.limit - 1)) + [landing]
    return .original
  }
}
