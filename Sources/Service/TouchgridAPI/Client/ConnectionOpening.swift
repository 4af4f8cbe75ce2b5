/// The calls that begin each connection: they tie the screens to it, and add its masks.
///
/// Every mask is added, even one that the configuration has: a reload may remove it there. An app's
/// connection begins with `AddMask`, which the daemon answers before calls that decide nothing
/// about masks. A follower asks for the daemon's masks first, because the daemon may have no room
/// for all of its own: then those that the configuration lacks count most.
package struct ConnectionOpening {
  enum Step {
    case follow
    case getMasks
    /// - Parameter isSpare: whether the configuration has the mask, too.
    case add(API.Mask, isSpare: Bool)
    /// The daemon has no room for a mask. Nothing is recorded as long as the connection lives.
    case pause
  }

  private let masks: [API.Mask]
  /// Whether recording is paused if the daemon has no room for a mask.
  private let pauses: Bool
  private var steps: [Step] = []
  /// What the daemon has answered.
  private(set) var masking = ConnectionMasking()

  /// - Parameters:
  ///   - follows: whether the connection is that of a follower.
  ///   - masks: the masks to add.
  ///   - pauses: whether recording is paused if the daemon has no room for a mask. If false, the
  ///     owner must look at `ConnectionMasking.refused`, and name none of these screens.
  package init(follows: Bool = false, masks: [API.Mask] = [], pauses: Bool = true) {
    self.masks = masks
    self.pauses = pauses
    steps = follows ? [.follow, .getMasks] : masks.map { .add($0, isSpare: false) }
  }

  /// The call that is under way or comes next; nil if the opening is complete.
  var next: Step? { steps.first }

  func start(_ step: Step, of connection: TouchgridConnection) throws(TouchgridError) {
    switch step {
    case .follow: try connection.send(API.Follow())
    case .getMasks: try connection.send(API.GetMasks())
    case .add(let mask, _): try connection.send(API.AddMask(mask: mask))
    case .pause: try connection.send(API.Pause())
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
      let missing = masks.filter { !reply.added.contains($0) }
      let spare = missing.filter { reply.configured.contains($0) }
      steps += missing.filter { !spare.contains($0) }.map { .add($0, isSpare: false) }
      steps += spare.map { .add($0, isSpare: true) }
    case .add(let mask, let isSpare):
      do throws(TouchgridError) {
        guard try connection.read(API.AddMask.self, within: .zero) != nil else { return false }
      } catch {
        guard let limit = error.as(API.LimitReached.self) else { throw error }
        if !isSpare {
          masking.refused.append(mask)
          masking.limit = limit
        }
      }
    case .pause:
      guard try connection.read(API.Pause.self, within: .zero) != nil else { return false }
      masking.isPaused = true
    }
    steps.removeFirst()
    if steps.isEmpty, pauses, !masking.refused.isEmpty, !masking.isPaused { steps = [.pause] }
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
  /// The error with which the daemon refused the last of them.
  package var limit: API.LimitReached?
  /// Whether recording is paused because of them, as long as the connection lives.
  package var isPaused = false
}
