/// Tells the touches of a panel from their repetition by a virtual device, so that one screen is counted
/// once. A program such as InputPlumber may take the panel for itself, and then the virtual device alone
/// speaks; where it does not, each touch comes twice within moments. Points are not compared: such programs
/// turn them.
struct EchoFilter: Sendable {
  /// An echo follows its touch within this, in microseconds.
  static let window: Int64 = 50_000
  private static let limit = 64

  struct Landing: Sendable {
    var touch: TouchID
    var device: Int
    var slot: Int
    var isVirtual: Bool
    var time: Timestamp
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

  /// Landings not yet paired, in the order in which they were read. None goes for its age: where we are
  /// late, all that waits of one device is read before what waits of the other.
  private var recent: [Landing] = []

  /// The device is gone, and its number may come to mean another.
  mutating func forget(_ device: Int) { recent.removeAll { $0.device == device } }

  mutating func judge(_ landing: Landing) -> Verdict {
    let pair = recent.firstIndex { other in
      guard other.isVirtual != landing.isVirtual else { return false }
      let delay = landing.isVirtual ? landing.time - other.time : other.time - landing.time
      return (0...Self.window).contains(delay)
    }
    if let pair {
      let other = recent.remove(at: pair)
      return landing.isVirtual ? .echo : .originalOf(other)
    }
    if recent.count == Self.limit { recent.removeFirst() }
    recent.append(landing)
    return .original
  }
}
