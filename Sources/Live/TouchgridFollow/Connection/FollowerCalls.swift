internal import LinuxIO
internal import Text
internal import TouchModel
internal import TouchgridAPI

/// The calls of the follower on one connection to the daemon, one at a time.
final class FollowerCalls {
  private enum Step {
    case mask(String)
    case mode(DisplayMode)
    /// A placeholder: when its turn comes, the steps that `masking` returns replace it.
    case show(ShownScreens.Change)
    case perform(UnmaskedScreens.Step)
  }

  /// The delay, in ms, before a mode is sent again that the daemon refused for lack of room.
  private static let pause = 10_000
  /// The time, in µs, that a message may take to reach the daemon.
  private static let margin: Int64 = 20_000

  private let loop: Loop
  private let connection: TouchgridConnection
  private let handler: (String) -> Void
  /// The call whose reply has not arrived yet; nil if there is none.
  private var current: Step?
  private var steps: [Step] = []
  /// The modes to be sent, one for each display.
  private var modes: [DisplayMode] = []
  /// The modes that the daemon refused for lack of room, by display, each with the timer that sends
  /// it again.
  private var refused: [String: (mode: DisplayMode, timer: Loop.Timer)] = [:]
  private var updates = PendingUpdates()
  private var masking: UnmaskedScreens
  private var hasBegun = false
  /// The time that was given to the last change that was refused as too late, in µs on
  /// `CLOCK_MONOTONIC`. A change that is refused with this time has been tried already.
  private var triedTime: Int64 = 0
  private var finished: (() -> Void)?
  private var reportedRefusals: Set<String> = []

  /// - Parameters:
  ///   - connection: The connection, which has masked the screens of `wanted` as far as the daemon
  ///     had room.
  ///   - wanted: The names of the screens that rules mask.
  ///   - handler: Called with lines for the log.
  init(
    loop: Loop, connection: TouchgridConnection, wanted: Set<String>,
    _ handler: @escaping (String) -> Void
  ) {
    self.loop = loop
    self.connection = connection
    self.handler = handler
    masking = UnmaskedScreens(connection.masking, wanted: wanted)
  }

  /// Starts to send the changes that were queued since the initializer.
  func begin() {
    hasBegun = true
    if let text = masking.report { handler(text) }
    next()
  }

  /// Handles the end of the connection: calls the closure of `finish`, if there is one.
  func end() { finished?() }

  func send(_ change: ShownScreens.Change) {
    updates.add(change)
    next()
  }

  func report(_ mode: DisplayMode) {
    refused[mode.display] = nil
    enqueue(mode)
  }

  private func enqueue(_ mode: DisplayMode) {
    modes.removeAll { $0.display == mode.display }
    modes.append(mode)
    next()
  }

  /// Sends a mode again after `pause`, unless a newer mode of the display is reported first.
  private func retry(_ mode: DisplayMode) {
    refused[mode.display] = (
      mode,
      loop.after(milliseconds: Self.pause) { [unowned self] in
        guard let mode = refused.removeValue(forKey: mode.display)?.mode else { return }
        enqueue(mode)
      }
    )
  }

  func finish(_ body: @escaping () -> Void) {
    finished = body
    next()
  }

  private func next() {
    guard hasBegun, current == nil else { return }
    let step: Step
    if !steps.isEmpty {
      step = steps.removeFirst()
    } else if !modes.isEmpty {
      step = .mode(modes.removeFirst())
    } else if let change = updates.next() {
      // The daemon may have room for the mask by now.
      steps = masking.lacks(change.name) ? [.mask(change.name), .show(change)] : [.show(change)]
      return next()
    } else {
      finished?()
      return
    }
    if case .show(let change) = step {
      steps = masking.steps(for: change).map { .perform($0) }
      return next()
    }
    // If this fails, the connection itself reports its loss.
    guard (try? start(step)) != nil else { return }
    current = step
  }

  private func start(_ step: Step) throws(TouchgridError) {
    switch step {
    case .mask(let name): try connection.start(API.AddMask(mask: API.Mask(screen: name)))
    case .mode(let mode):
      try connection.start(
        API.SetDisplayMode(
          name: mode.display, pixelWidth: mode.size?.width, pixelHeight: mode.size?.height))
    case .show: break
    case .perform(.send(let change)):
      try connection.start(
        API.SetScreen(
          name: change.name, display: change.display,
          changedAtUs: change.time > 0 ? change.time : nil))
    case .perform(.pause): try connection.start(API.Pause())
    case .perform(.resume): try connection.start(API.Resume())
    }
  }

  /// Reads the reply to the current call, if it has arrived.
  func read() {
    guard let current else { return }
    do throws(TouchgridError) {
      guard try hasAnswer(to: current) else { return }
    } catch {
      return connection.drop(error)
    }
    self.current = nil
    next()
  }

  /// Reads and applies the reply to a step.
  /// - Returns: false if the reply has not arrived yet.
  /// - Throws: An error after which the connection must be dropped.
  private func hasAnswer(to step: Step) throws(TouchgridError) -> Bool {
    switch step {
    case .mask(let name):
      do throws(TouchgridError) {
        guard try connection.receive(API.AddMask.self) != nil else { return false }
        masking.add(name)
      } catch {
        guard error.as(API.LimitReached.self) != nil else { throw error }
        masking.refuse(name)
      }
      return true
    case .mode(let mode):
      do throws(TouchgridError) {
        return try connection.receive(API.SetDisplayMode.self) != nil
      } catch {
        guard error.isRefusal else { throw error }
        reportRefusal(of: mode.display, error)
        if error.as(API.LimitReached.self) != nil { retry(mode) }
        return true
      }
    case .show: return true
    case .perform(.pause):
      guard try connection.receive(API.Pause.self) != nil else { return false }
      masking.isPaused = true
      return true
    case .perform(.resume):
      guard try connection.receive(API.Resume.self) != nil else { return false }
      masking.isPaused = false
      return true
    case .perform(.send(let change)):
      do throws(TouchgridError) {
        return try connection.receive(API.SetScreen.self) != nil
      } catch {
        try handleRefusal(error, for: change)
        return true
      }
    }
  }

  /// Handles an error in reply to a name.
  /// - Throws: `error` if it concerns more than this name.
  private func handleRefusal(
    _ error: TouchgridError, for change: ShownScreens.Change
  ) throws(TouchgridError) {
    guard error.isRefusal else { throw error }
    switch error {
    case .fault(let fault as API.TooLate):
      // Try the earliest time that the daemon accepts, once. If the message takes longer than the
      // margin, the change gets the current time.
      let isFirst = triedTime != change.time
      triedTime = Clocks.monotonic - fault.limitUs + Self.margin
      updates.addLate(
        change, earliest: isFirst && fault.limitUs > 2 * Self.margin ? triedTime : nil)
    case .fault(is API.LimitReached) where change.name != ScreenNames.other && !change.isMasked:
      var other = change
      other.name = ScreenNames.other
      updates.addRenamed(other)
    // The daemon uses the name once a touchscreen lies on the display.
    case .fault(is API.NoSuchDisplay): reportRefusal(of: change.name, error)
    default:
      reportRefusal(of: change.name, error)
      if change.isMasked {
        // The previous screen is still named, so recording must not resume for it.
        steps = masking.hide(change.display).map { .perform($0) }
      }
    }
  }

  /// Reports a refusal. Reports each message only once, and at most 100 messages in all.
  private func reportRefusal(of name: String, _ error: TouchgridError) {
    let text = "\(error)".printable(limit: 500)
    guard reportedRefusals.count < 100, reportedRefusals.insert(text).inserted else { return }
    handler("\(name.printable()): \(text)")
  }
}

extension TouchgridError {
  /// Whether the daemon refused only this one call. A lack of permission concerns all calls.
  var isRefusal: Bool {
    switch self {
    case .fault(let fault): !(fault is API.NotPermitted)
    case .unknown: true
    case .system, .closed, .timedOut, .malformed: false
    }
  }
}

extension UnmaskedScreens {
  /// - Parameter wanted: The names of the screens that rules mask.
  fileprivate init(_ masking: ConnectionMasking, wanted: Set<String>) {
    func wholeScreens(_ masks: [API.Mask]) -> Set<String> {
      Set(masks.filter { $0.display == nil && $0.rectangle == nil }.map(\.screen))
    }
    let configured = wholeScreens(masking.found.configured)
    let known = configured.union(wholeScreens(masking.found.added))
    let later = Set([ScreenNames.maskedFailed]).subtracting(known)
    self.init(configured: configured, masked: known.intersection(wanted), later: later)
    let refused = wholeScreens(masking.refused)
    for name in wanted.subtracting(known).sorted() {
      if refused.contains(name) { refuse(name) } else { add(name) }
    }
  }
}
