/// Follows pairs of contacts that began close to each other, until both are known to count. If one
/// of them proves to be masked, nothing of the pair is kept.
struct PanelPairs: Sendable {
  /// The maximum number of pairs that wait for the same touch to be committed. A touch that turns
  /// out to be masked is in no such pair, so it does not displace others.
  private static let limit = 32

  struct Pair: Sendable {
    let older: TouchID
    let newer: TouchID
    /// The session that the newer contact counts for.
    let session: Int64
    let key: PanelKey
    /// The lines midway between the two.
    let column: Int
    let row: Int
    /// The touch that is not committed yet, if the other one is counted.
    fileprivate var awaited: TouchID?

    init(
      older: TouchID, newer: TouchID, session: Int64, key: PanelKey, middle: (column: Int, row: Int)
    ) {
      self.older = older
      self.newer = newer
      self.session = session
      self.key = key
      (column, row) = middle
    }
  }

  /// The waiting pairs. To remove one, create a new array: removing it in place would leave it in
  /// memory (docs/privacy.md).
  private var pairs: [Pair] = []

  var isEmpty: Bool { pairs.isEmpty }

  mutating func add(_ new: [Pair]) { if !new.isEmpty { pairs = pairs + new } }

  /// Records that a touch was committed or discarded.
  /// - Parameter counts: whether it was counted, and will not be removed.
  /// - Returns: the pairs of which both are now counted.
  mutating func finish(_ touch: TouchID, counts: Bool) -> [Pair] {
    guard !pairs.isEmpty else { return [] }
    var complete: [Pair] = []
    var room: [TouchID: Int] = [:]
    for case let awaited? in pairs.map(\.awaited) {
      room[awaited, default: Self.limit] -= 1
    }
    pairs = pairs.compactMap { pair in
      guard pair.older == touch || pair.newer == touch else { return pair }
      guard counts else { return nil }
      if pair.awaited == touch {
        complete.append(pair)
        return nil
      }
      var pair = pair
      let other = pair.older == touch ? pair.newer : pair.older
      guard room[other, default: Self.limit] > 0 else { return nil }
      room[other, default: Self.limit] -= 1
      pair.awaited = other
      return pair
    }
    return complete
  }
}
