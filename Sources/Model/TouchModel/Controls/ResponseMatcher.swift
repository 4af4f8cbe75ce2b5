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
/// Only a touch that has been counted as a hit gets a response, and only one. On a screen with a
/// mask no touch does: when something changed there may tell of masked touches.
public struct ResponseMatcher: Sendable {
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
    /// Whether the touch may prove to be a ghost. It takes its response, which is not counted.
    var isSuspect: Bool
  }

  /// By how much the end of a touch may differ between the observer and the device, in µs: an
  /// observer in a browser has another clock.
  static let tolerance: Int64 = 250_000
  /// How long a hit waits for its response, in µs; at most twice as long.
  public static let memory: Int64 = 5_000_000
  /// How many hits wait at most, and how many responses.
  static let limit = 32

  // Each removal creates a new array: removing an element in place would leave it in memory
  // (docs/privacy.md).
  private var hits: [Hit] = []
  private var responses: [TouchResponse] = []

  /// Adds a hit.
  /// - Returns: its response, if that has arrived.
  mutating func add(_ hit: Hit) -> TouchResponse? {
    let fitting = responses.indices.filter { Self.fit(hit, responses[$0]) }
    guard let nearest = fitting.min(by: { gap(hit, responses[$0]) < gap(hit, responses[$1]) })
    else {
      // Most kiosks have no observer, so to add a hit must cost little.
      if hits.count == Self.limit { hits = Array(hits.suffix(Self.limit / 2)) }
      hits.append(hit)
      return nil
    }
    let response = responses[nearest]
    responses = Self.without(nearest, responses)
    return response
  }

  /// Finds the hit that a response belongs to, which gets no other one.
  /// - Returns: nil if there is none so far.
  mutating func takeHit(of response: TouchResponse) -> Hit? {
    let fitting = hits.indices.filter { Self.fit(hits[$0], response) }
    guard let nearest = fitting.min(by: { gap(hits[$0], response) < gap(hits[$1], response) })
    else { return nil }
    let hit = hits[nearest]
    hits = Self.without(nearest, hits)
    return hit
  }

  /// Whether responses wait for touches.
  var haveWaiting: Bool { !responses.isEmpty }

  /// Keeps a response, if a touch that has not been counted yet may be its own.
  /// - Parameter uncounted: when these touches ended, on `CLOCK_MONOTONIC`.
  mutating func wait(with response: TouchResponse, for uncounted: [Timestamp]) {
    responses.append(response)
    forgetWaiting(unless: uncounted)
    responses = responses.suffix(Self.limit)
  }

  /// Forgets the responses that wait for no touch.
  /// - Parameter uncounted: when the touches ended that have not been counted yet, on
  ///   `CLOCK_MONOTONIC`.
  mutating func forgetWaiting(unless uncounted: [Timestamp]) {
    responses = responses.filter { response in
      uncounted.contains { abs($0 - response.ended) <= Self.tolerance }
    }
  }

  /// Forgets the hits that have waited for too long.
  mutating func forgetHits(asOf time: Timestamp) {
    guard let first = hits.first, time - first.ended > 2 * Self.memory else { return }
    hits = hits.filter { time - $0.ended <= Self.memory }
  }

  /// Forgets the hits of a session that has been closed.
  mutating func forget(session: Int64) { hits = hits.filter { $0.session != session } }

  private func gap(_ hit: Hit, _ response: TouchResponse) -> Int64 {
    abs(hit.ended - response.ended)
  }

  private static func without<Element>(_ index: Int, _ list: [Element]) -> [Element] {
    list.enumerated().filter { $0.offset != index }.map(\.element)
  }

  private static func fit(_ hit: Hit, _ response: TouchResponse) -> Bool {
    abs(hit.ended - response.ended) <= tolerance
      && ExactName(hit.name) == ExactName(response.control)
      && ExactName(hit.key.screen) == ExactName(response.screen)
      && (response.display.map { ExactName($0) == ExactName(hit.key.display) } ?? true)
  }
}
