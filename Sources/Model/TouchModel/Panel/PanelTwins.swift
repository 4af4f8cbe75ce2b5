/// Follows pairs of contacts that began close to each other, until it is known that both count. One
/// of the two may prove to be masked, and then nothing of the pair is kept.
struct PanelTwins: Sendable {
  /// The maximum number of pairs that wait.
  private static let limit = 64

  struct Pair: Sendable {
    let older: TouchID
    let newer: TouchID
    /// The session that the newer contact counts for.
    let session: Int64
    let key: PanelKey
    /// The lines midway between the two.
    let column: Int
    let row: Int
    /// Whether one of the two is counted.
    fileprivate var isHalfCounted = false

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

  /// The pairs that wait. To remove one, create a new array: removing it in place would leave it in
  /// memory (docs/privacy.md).
  private var pairs: [Pair] = []

  var isEmpty: Bool { pairs.isEmpty }

  mutating func add(_ pair: Pair) { pairs = Array(pairs.suffix(Self.limit - 1)) + [pair] }

  /// Takes in that a touch has been committed, or has been discarded.
  /// - Parameter counts: whether it was counted, and cannot be taken back.
  /// - Returns: the pairs of which both are counted now.
  mutating func finish(_ touch: TouchID, counts: Bool) -> [Pair] {
    guard !pairs.isEmpty else { return [] }
    var complete: [Pair] = []
    pairs = pairs.compactMap { pair in
      guard pair.older == touch || pair.newer == touch else { return pair }
      guard counts else { return nil }
      if pair.isHalfCounted {
        complete.append(pair)
        return nil
      }
      var pair = pair
      pair.isHalfCounted = true
      return pair
    }
    return complete
  }
}
