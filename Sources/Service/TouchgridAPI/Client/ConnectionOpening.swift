/// The calls that open each connection: `Follow` for a follower, and `AddMask` for each mask.
///
/// Masks that the configuration also has are added too, because a reload may remove them from the
/// configuration. An app adds its masks at once, because the daemon answers `AddMask` before less
/// urgent calls. A follower first gets the daemon's masks. It skips those that clients have added,
/// and adds those that the configuration lacks before the others, because the daemon may not have
/// room for all of them.
package struct ConnectionOpening {
  enum Step {
    case follow
    case getMasks
    /// Adds a mask.
    /// - Parameter isSpare: whether the configuration is known to have the mask, too. If so, the
    ///   connection need not pause if the daemon has no room for the mask. Never true for an app,
    ///   which does not query the daemon's masks first.
    case add(API.Mask, isSpare: Bool)
    /// Pauses recording for the life of the connection, because the daemon has no room for a mask.
    case pause
  }

  private let masks: [API.Mask]
  /// Whether recording is paused if the daemon has no room for a mask.
  private let pauses: Bool
  private var steps: [Step] = []
  /// The result so far.
  private(set) var masking = ConnectionMasking()

  /// - Parameters:
  ///   - follows: whether the connection is that of a follower.
  ///   - masks: the masks to add.
  ///   - pauses: whether recording is paused if the daemon has no room for a mask. If false, the
  ///     owner must read `ConnectionMasking.refused`, and name none of the screens of these masks.
  package init(follows: Bool = false, masks: [API.Mask] = [], pauses: Bool = true) {
    self.masks = masks
    self.pauses = pauses
    steps = follows ? [.follow, .getMasks] : masks.map { .add($0, isSpare: false) }
  }

  /// The step that is in progress or comes next; nil if the opening is complete.
  var next: Step? { steps.first }

  func start(_ step: Step, of connection: TouchgridConnection) throws(TouchgridError) {
    switch step {
    case .follow: try connection.send(API.Follow())
    case .getMasks: try connection.send(API.GetMasks())
    case .add(let mask, _): try connection.send(API.AddMask(mask: mask))
    case .pause: try connection.send(API.Pause())
    }
  }

  /// Reads the answer to a step. If it has arrived, `next` becomes the following step.
  /// - Returns: false if the answer has not arrived yet.
  /// - Throws: errors of the call, except `LimitReached` for a mask.
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

/// The masks that the daemon had when a connection began, and those that it refused.
package struct ConnectionMasking {
  /// The masks that the daemon had before this connection added its own. Empty unless the
  /// connection is that of a follower.
  package var found = API.GetMasks.Reply(
    configured: [], added: [], widened: [], everything: false, revision: 0)
  /// The masks that the daemon had no room for, except those that the configuration has.
  package var refused: [API.Mask] = []
  /// The error with which the daemon refused the last mask in `refused`; nil if it refused none.
  package var limit: API.LimitReached?
  /// Whether this connection pauses recording because of the refused masks.
  package var isPaused = false
}
