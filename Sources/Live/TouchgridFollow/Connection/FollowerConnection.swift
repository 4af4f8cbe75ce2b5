internal import LinuxIO
internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// One connection to the daemon, with one call at a time.
final class FollowerConnection {
  enum Event {
    /// The daemon has accepted the follower and its masks. `masked` holds the names of the screens
    /// that were already masked.
    case agreed(masked: Set<String>)
    case state(String)
    /// The connection has ended.
    case failed(ClientError)
  }

  private enum Step {
    case follow
    case masks
    case mask(String)
    case mode(DisplayMode)
    /// Is replaced by the steps that `masking` decides on when its turn comes.
    case show(ShownScreens.Change)
    case take(UnmaskedScreens.Step)
  }

  /// How long the daemon may take to answer, in ms.
  private static let patience = 10_000
  /// The time that a message may take to the daemon, in µs.
  private static let margin: Int64 = 20_000

  private let loop: Loop
  private let wanted: [String]
  private let handler: (Event) -> Void
  private var client: TouchgridClient
  private var watch: Loop.Watch?
  /// The current call, and the timer that gives it up.
  private var current: (step: Step, timer: Loop.Timer)?
  private var steps: [Step] = [.follow, .masks]
  /// The modes that are still to be sent, one for each display.
  private var modes: [DisplayMode] = []
  /// The modes that the daemon had no room for, by display, and when they are sent again.
  private var refused: [String: (mode: DisplayMode, timer: Loop.Timer)] = [:]
  private var sayings = PendingUpdates()
  private var masked: Set<String> = []
  private var masking = UnmaskedScreens()
  private var hasAgreed = false
  /// The time with which a change was sent again, after it had been refused as too late; in µs.
  private var triedTime: Int64 = 0
  private var finished: (() -> Void)?
  private var complaints: Set<String> = []

  init(
    loop: Loop, path: String, masks: [String], _ handler: @escaping (Event) -> Void
  ) throws(ClientError) {
    self.loop = loop
    wanted = masks
    self.handler = handler
    // Connecting to a Unix socket takes no time; only a daemon that hangs takes longer.
    client = try TouchgridClient(path: path, timeout: .seconds(1))
    do throws(SystemError) {
      // The closure cannot outlive `self`, which owns the watch.
      watch = try loop.watch(client.descriptor) { [unowned self] in read() }
    } catch {
      throw .system(error)
    }
  }

  func begin() { next() }

  func say(_ change: ShownScreens.Change) {
    // Until the daemon has agreed, nothing is queued: it receives everything after that.
    guard hasAgreed else { return }
    sayings.add(change)
    next()
  }

  func report(_ mode: DisplayMode) {
    // The mode is sent after the daemon has agreed, like the names.
    guard hasAgreed else { return }
    refused[mode.display] = nil
    enqueue(mode)
  }

  private func enqueue(_ mode: DisplayMode) {
    modes.removeAll { $0.display == mode.display }
    modes.append(mode)
    next()
  }

  /// Sends a mode again later if there is no newer one of the display.
  private func retry(_ mode: DisplayMode) {
    refused[mode.display] = (
      mode,
      loop.after(milliseconds: Self.patience) { [unowned self] in
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
    guard current == nil else { return }
    let step: Step
    if !steps.isEmpty {
      step = steps.removeFirst()
    } else if !hasAgreed {
      hasAgreed = true
      handler(.agreed(masked: masked))
      if let text = masking.report { handler(.state(text)) }
      return next()
    } else if !modes.isEmpty {
      step = .mode(modes.removeFirst())
    } else if let change = sayings.next() {
      // The daemon may have room for the mask by now.
      steps = masking.lacks(change.name) ? [.mask(change.name), .show(change)] : [.show(change)]
      return next()
    } else {
      finished?()
      return
    }
    if case .show(let change) = step {
      steps = masking.steps(for: change).map { .take($0) }
      return next()
    }
    do throws(ClientError) {
      try start(step)
    } catch {
      return end(error)
    }
    let timer = loop.after(milliseconds: Self.patience) { [unowned self] in end(.timedOut) }
    current = (step, timer)
  }

  private func start(_ step: Step) throws(ClientError) {
    switch step {
    case .follow: try client.start(API.Follow())
    case .masks: try client.start(API.GetMasks())
    case .mask(let name): try client.start(API.AddMask(mask: API.Mask(screen: name)))
    case .mode(let mode):
      try client.start(
        API.SetDisplayMode(
          name: mode.display, pixelWidth: mode.size?.width, pixelHeight: mode.size?.height))
    case .show: break
    case .take(.say(let change)):
      try client.start(
        API.SetScreen(
          name: change.name, display: change.display,
          changedAtUs: change.time > 0 ? change.time : nil))
    case .take(.pause): try client.start(API.Pause(), more: false)
    case .take(.resume): try client.start(API.Resume(), more: false)
    }
  }

  private func read() {
    do throws(ClientError) {
      guard let current else {
        // No call is under way: the daemon says why it ends the connection, or has ended it.
        _ = try client.receive(API.Follow.self, within: .zero)
        return
      }
      guard try hasAnswer(to: current.step) else { return }
    } catch {
      return end(error)
    }
    current = nil
    next()
  }

  /// - Returns: false if the answer has not arrived yet.
  private func hasAnswer(to step: Step) throws(ClientError) -> Bool {
    switch step {
    case .follow: return try client.receive(API.Follow.self, within: .zero) != nil
    case .masks:
      guard let (reply, _) = try client.receive(API.GetMasks.self, within: .zero) else {
        return false
      }
      take(reply)
      return true
    case .mask(let name):
      do throws(ClientError) {
        guard try client.receive(API.AddMask.self, within: .zero) != nil else { return false }
        masking.add(name)
      } catch {
        guard case .remote(let fault) = error, fault.name == API.LimitReached.name else {
          throw error
        }
        masking.refuse(name)
      }
      return true
    case .mode(let mode):
      do throws(ClientError) {
        return try client.receive(API.SetDisplayMode.self, within: .zero) != nil
      } catch {
        guard case .remote(let fault) = error, fault.name != API.NotPermitted.name else {
          throw error
        }
        complain(of: mode.display, fault)
        if fault.name == API.LimitReached.name { retry(mode) }
        return true
      }
    case .show: return true
    case .take(.pause):
      guard try client.receive(API.Pause.self, within: .zero) != nil else { return false }
      masking.isPaused = true
      return true
    case .take(.resume):
      guard try client.receive(API.Resume.self, within: .zero) != nil else { return false }
      masking.isPaused = false
      return true
    case .take(.say(let change)):
      do throws(ClientError) {
        return try client.receive(API.SetScreen.self, within: .zero) != nil
      } catch {
        guard case .remote(let fault) = error else { throw error }
        try take(fault, for: change)
        return true
      }
    }
  }

  private func take(_ masks: API.GetMasks.Reply) {
    masked = Set((masks.configured + masks.added).map(\.screen))
    func whole(_ masks: [API.Mask]) -> Set<String> {
      Set(masks.filter { $0.display == nil && $0.rectangle == nil }.map(\.screen))
    }
    let configured = whole(masks.configured)
    let known = configured.union(whole(masks.added))
    masking = UnmaskedScreens(configured: configured, masked: known.intersection(wanted))
    steps += Set(wanted).subtracting(known).sorted().map { .mask($0) }
  }

  /// Handles the refusal of a name. Only a lack of permission ends the connection.
  private func take(
    _ fault: RemoteError, for change: ShownScreens.Change
  ) throws(ClientError) {
    switch fault.name {
    case API.TooLate.name:
      let limit = fault.parameters(API.TooLate.self)?.limitUs ?? 0
      // The earliest possible time is tried once. If the message takes longer than the margin, the
      // current time must do.
      let isFirst = triedTime != change.time
      triedTime = Clocks.monotonic - limit + Self.margin
      sayings.addLate(
        change, earliest: isFirst && limit > 2 * Self.margin ? triedTime : nil)
    case API.LimitReached.name where change.name != ScreenNames.other && !change.isMasked:
      var other = change
      other.name = ScreenNames.other
      sayings.addRenamed(other)
    case API.NotPermitted.name: throw .remote(fault)
    default: complain(of: change.name, fault)
    }
  }

  /// Reports a refusal. Each is reported only once, and at most 100 in all.
  private func complain(of name: String, _ fault: RemoteError) {
    let text = "\(fault)".printable(limit: 500)
    guard complaints.count < 100, complaints.insert(text).inserted else { return }
    handler(.state("\(name.printable()): \(text)"))
  }

  private func end(_ error: ClientError) {
    watch = nil
    current = nil
    finished?()
    handler(.failed(error))
  }
}
