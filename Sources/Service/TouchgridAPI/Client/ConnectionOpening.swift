/// The calls that begin each connection: they tie the screens to it, and add the masks that the
/// daemon lacks.
package struct ConnectionOpening {
  enum Step {
    case follow
    case getMasks
    case add(API.Mask)
  }

  private let masks: [API.Mask]
  /// Whether a connection is accepted if the daemon has no room for some of its masks.
  private let toleratesLimit: Bool
  private var steps: [Step] = []
  /// What the daemon has answered.
  private(set) var masking = ConnectionMasking()

  /// - Parameters:
  ///   - follows: whether the connection is that of a follower.
  ///   - masks: the masks to add.
  ///   - toleratesLimit: whether the connection is accepted if the daemon has no room for some of
  ///     the masks. The owner must then look at `ConnectionMasking.refused`.
  package init(follows: Bool = false, masks: [API.Mask] = [], toleratesLimit: Bool = false) {
    self.masks = masks
    self.toleratesLimit = toleratesLimit
    if follows { steps.append(.follow) }
    if follows || !masks.isEmpty { steps.append(.getMasks) }
  }

  /// The call that is under way or comes next; nil if the opening is complete.
  var next: Step? { steps.first }

  func start(_ step: Step, of connection: TouchgridConnection) throws(TouchgridError) {
    switch step {
    case .follow: try connection.send(API.Follow())
    case .getMasks: try connection.send(API.GetMasks())
    case .add(let mask): try connection.send(API.AddMask(mask: mask))
    }
  }

  /// Reads the answer to a step. The opening goes on to the next step if it has come.
  /// - Returns: false if the answer has not come yet.
  mutating func hasAnswer(
    to step: Step, of connection: TouchgridConnection
  ) throws(TouchgridError) -> Bool {
    switch step {
    case .follow:
      guard try connection.read(API.Follow.self, within: .zero) != nil else { return false }
    case .getMasks:
      guard let (reply, _) = try connection.read(API.GetMasks.self, within: .zero) else {
        return false
      }
      masking.found = reply
      let known = reply.configured + reply.added
      steps += masks.filter { !known.contains($0) }.map { .add($0) }
    case .add(let mask):
      do throws(TouchgridError) {
        guard try connection.read(API.AddMask.self, within: .zero) != nil else { return false }
      } catch {
        guard toleratesLimit, error.as(API.LimitReached.self) != nil else { throw error }
        masking.refused.append(mask)
      }
    }
    steps.removeFirst()
    return true
  }
}

/// The masks of the daemon when a connection began.
package struct ConnectionMasking {
  /// The masks that the daemon had before this connection added its own. Empty for a connection
  /// that neither follows nor has masks.
  package var found = API.GetMasks.Reply(configured: [], added: [])
  /// The masks that the daemon had no room for.
  package var refused: [API.Mask] = []
}
