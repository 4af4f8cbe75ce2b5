internal import Text

/// A report of an app or another observer about one touch: the delay until the screen changed.
public struct TouchResponse: Hashable, Sendable {
  /// The screen that was shown when the touch began.
  public var screen: String
  /// The display; nil for any.
  public var display: String?
  /// The name of the control that the touch hit.
  public var control: String
  /// The time at which the touch ended, on `CLOCK_MONOTONIC`.
  public var ended: Timestamp
  /// The time from touch-up to a change of the screen near the touch, in ms; nil if there was none.
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
  /// The longest response in each bin except the last, in ms.
  public static let responseLimits: [Int64] = (0..<(responseBins - 1)).map { 16 << $0 }

  /// The bin of a response. A response beyond all limits counts as none.
  fileprivate static func responseBin(_ milliseconds: Int64?) -> Int {
    milliseconds.flatMap { time in responseLimits.firstIndex { time <= $0 } } ?? responseBins - 1
  }
}

/// A touch with its response.
struct ObservedResponse: Sendable {
  let hit: ResponseMatcher.Hit
  /// Its place in `ControlSums.responses`.
  let bin: Int
  /// Whether the screen changed.
  var isAnswered: Bool { bin < ControlSums.responseBins - 1 }

  init(_ response: TouchResponse, to hit: ResponseMatcher.Hit) {
    self.hit = hit
    bin = ControlSums.responseBin(response.milliseconds)
  }
}

/// Finds the touches that responses belong to. A response may arrive before its touch is counted, as
/// well as after.
///
/// Only a counted touch that began on a control gets a response, and only one. On a screen with a
/// mask no touch does, because the times of changes could reveal masked touches.
public struct ResponseMatcher: Sendable {
  /// A counted touch that began on a control.
  struct Hit: Sendable {
    var session: Int64
    var touch: TouchID
    var key: GridKey
    /// What it added to the counts of controls; nil if that is nothing, as for a swipe.
    var effect: SessionControls.Effect?
    /// The name of the control.
    var name: String
    /// The time at which the touch ended, on `CLOCK_MONOTONIC`.
    var ended: Timestamp
    /// Whether the touch may prove to be a ghost. It uses up its response, which is not counted.
    var isSuspect: Bool
  }

  /// The greatest difference of a touch's end between the observer and the device, in µs. An
  /// observer in a browser has another clock.
  static let tolerance: Int64 = 250_000
  /// The time for which a hit waits for its response, in µs. It may wait up to twice as long.
  public static let memory: Int64 = 5_000_000
  /// The maximum number of waiting hits, and of waiting responses.
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
      // Most kiosks have no observer, so adding a hit must be cheap.
      if hits.count == Self.limit { hits = Array(hits.suffix(Self.limit / 2)) }
      hits.append(hit)
      return nil
    }
    let response = responses[nearest]
    responses = Self.without(nearest, responses)
    return response
  }

  /// Finds the hit that a response belongs to. The hit gets no other response.
  /// - Returns: nil if there is none so far.
  mutating func takeHit(of response: TouchResponse) -> Hit? {
    let fitting = hits.indices.filter { Self.fit(hits[$0], response) }
    guard let nearest = fitting.min(by: { gap(hits[$0], response) < gap(hits[$1], response) })
    else { return nil }
    let hit = hits[nearest]
    hits = Self.without(nearest, hits)
    return hit
  }

  var haveWaiting: Bool { !responses.isEmpty }

  /// Keeps a response if it may belong to a touch that has not been counted yet.
  /// - Parameter uncounted: the times at which these touches ended, on `CLOCK_MONOTONIC`.
  mutating func wait(with response: TouchResponse, for uncounted: [Timestamp]) {
    responses.append(response)
    forgetWaiting(unless: uncounted)
    responses = responses.suffix(Self.limit)
  }

  /// Forgets the responses that cannot belong to any uncounted touch.
  /// - Parameter uncounted: the times at which the uncounted touches ended, on `CLOCK_MONOTONIC`.
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
