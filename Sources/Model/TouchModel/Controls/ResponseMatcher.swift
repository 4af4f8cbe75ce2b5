internal import Text

/// What an app or another observer says about one touch: how long after it the screen changed.
public struct TouchResponse: Hashable, Sendable {
  /// The screen that was shown when the touch began.
  public var screen: String
  /// The display; nil for any.
  public var display: String?
  /// The name of the control that the touch hit.
  public var control: String
  /// When the touch ended, on `CLOCK_MONOTONIC`.
  public var ended: Timestamp
  /// The time from then until the screen changed near the touch, in ms; nil if it did not change.
  public var milliseconds: Int64?

  public init(
    screen: String, display: String?, control: String, ended: Timestamp, milliseconds: Int64?
  ) {
    self.screen = screen
    self.display = display
    self.control = control
    self.ended = ended
    self.milliseconds = milliseconds
  }
}

extension ControlSums {
  /// The longest response of each bin but the last, in ms.
  public static let responseLimits: [Int64] = (0..<(responseBins - 1)).map { 16 << $0 }

  /// The bin of a response. One that took longer than all limits counts as none.
  static func responseBin(_ milliseconds: Int64?) -> Int {
    milliseconds.flatMap { time in responseLimits.firstIndex { time <= $0 } } ?? responseBins - 1
  }
}

/// Finds the touches that responses belong to. A response may arrive before its touch is counted, as
/// well as after.
///
/// Only a touch that has been counted as a hit gets a response, and only one. So nothing that a
/// client says about a masked touch is ever counted.
struct ResponseMatcher: Sendable {
  /// A touch that was counted as a hit.
  struct Hit: Sendable {
    var session: Int64
    var key: GridKey
    /// The place of the set of controls in the view, and of the control in the set.
    var set: Int
    var control: Int
    /// The name of the control.
    var name: String
    /// When the touch ended, on `CLOCK_MONOTONIC`.
    var ended: Timestamp
  }

  /// By how much the end of a touch may differ between the observer and the device, in µs: an
  /// observer in a browser has another clock.
  static let tolerance: Int64 = 250_000
  /// How long a hit or a response waits for the other one, in µs.
  static let memory: Int64 = 5_000_000
  /// How many of each wait.
  static let limit = 32

  private var hits: [Hit] = []
  private var responses: [TouchResponse] = []

  /// Adds a hit.
  /// - Returns: its response, if that has arrived.
  mutating func add(_ hit: Hit) -> TouchResponse? {
    responses.removeAll { hit.ended - $0.ended > Self.memory }
    let found = responses.indices.filter { Self.fit(hit, responses[$0]) }
      .min { Self.gap(hit, responses[$0]) < Self.gap(hit, responses[$1]) }
    if let found { return responses.remove(at: found) }
    if hits.count == Self.limit { hits.removeFirst() }
    hits.append(hit)
    return nil
  }

  /// Adds a response.
  /// - Returns: the hit that it belongs to, if that has been counted.
  mutating func add(_ response: TouchResponse) -> Hit? {
    hits.removeAll { response.ended - $0.ended > Self.memory }
    let found = hits.indices.filter { Self.fit(hits[$0], response) }
      .min { Self.gap(hits[$0], response) < Self.gap(hits[$1], response) }
    if let found { return hits.remove(at: found) }
    if responses.count == Self.limit { responses.removeFirst() }
    responses.append(response)
    return nil
  }

  /// Forgets the hits of a session that has been closed.
  mutating func forget(session: Int64) { hits.removeAll { $0.session == session } }

  private static func gap(_ hit: Hit, _ response: TouchResponse) -> Int64 {
    abs(hit.ended - response.ended)
  }

  private static func fit(_ hit: Hit, _ response: TouchResponse) -> Bool {
    gap(hit, response) <= tolerance && ExactName(hit.name) == ExactName(response.control)
      && ExactName(hit.key.screen) == ExactName(response.screen)
      && (response.display.map { ExactName($0) == ExactName(hit.key.display) } ?? true)
  }
}
