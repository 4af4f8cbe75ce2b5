internal import TouchModel
internal import TouchgridAPI

/// Keeps the touch that wakes a dark screen from the app: while an output is dark, a shield takes
/// all touches on it. It sleeps until the daemon, the desktop or a touch wakes it up.
public final class GuardOverlay {
  private let overlay: OverlayOptions
  private let options: GuardOptions
  private let process: OverlayProcess
  private let commands: ShellCommands
  private let swallowed: SwallowedTouches
  private let corners: CornerWatch?
  private var wakeGuard = WakeGuard()
  private var outputs: [Output] = []
  private var powers: [OutputPower] = []
  private var shields: [Shield] = []
  /// The daemon's displays with a touchscreen.
  private var displays: [String] = []
  /// The timer that ends the waiting, and its `WakeGuard.waitingTime`.
  private var waiting: (time: Int, source: Source)?
  /// The timer after which an unused screen becomes dark again: the daemon reports no idleness
  /// after a click, a palm or a ghost has woken it.
  private var unused: Source?
  private var isIdle = false
  /// Whether a client of the daemon suspends the guard.
  private var isSuspended = false
  /// Whether all outputs are shielded, whatever the desktop reports of them.
  private var isDimmed = false
  /// Whether the outputs must be made dark as soon as all shields are there.
  private var mustDim = false
  /// Whether this process has made the screen dark, and must light it before it ends.
  private var mustLight = false
  private var isFirst = true

  /// Guards the screen until SIGTERM or SIGINT. Call this before the process starts another thread.
  public static func run(
    _ overlay: OverlayOptions, _ options: GuardOptions
  ) throws(OverlayFailure) {
    try OverlayFailure.reported { () throws(OverlayFailure) in
      try GuardOverlay(overlay, options).run()
    }
  }

  private init(_ overlay: OverlayOptions, _ options: GuardOptions) throws(OverlayFailure) {
    self.overlay = overlay
    self.options = options
    process = try OverlayProcess(overlay.backend, for: .shields)
    commands = ShellCommands(process.report)
    swallowed = try SwallowedTouches(path: overlay.socket, process.report)
    corners = options.corners.map { [report = process.report] in CornerWatch($0, report) }
  }

  private func run() throws(OverlayFailure) {
    process.desktop.watch { [unowned self] in arrange() }
    arrange()
    if options.dim == nil, powers.isEmpty, !outputs.isEmpty { throw .noPower }
    try process.watch(API.WatchCovers(), path: overlay.socket) { [unowned self] in handle($0) }
    if let idleAfter = options.idleAfter {
      try process.watch(API.WatchActivity(idleAfterMs: idleAfter), path: overlay.socket) {
        [unowned self] in handle($0)
      }
    }
    if let corners {
      try process.watch(API.WatchTouches(), path: overlay.socket) { corners.handle($0) }
    }
    defer { shields = [] }
    do throws(OverlayFailure) { try process.run() } catch {
      if mustLight { lightAtEnd() }
      throw error
    }
    if mustLight { lightAtEnd() }
  }

  /// Lights the screen that this process has made dark.
  private func lightAtEnd() {
    wake()
    process.desktop.synchronize()
    commands.wait(atMost: 3000)
  }

  // MARK: The daemon

  private func handle(_ event: LiveReplies<API.WatchCovers>.Event) {
    guard case .reply(let reply) = event else { return }
    displays = reply.displays.map(\.name)
    isSuspended = reply.isGuardSuspended
    if isSuspended, mustLight {
      wake()
      _ = wakeGuard.light()
    }
    update()
    if options.idleAfter == nil { process.reportReady() }
  }

  private func handle(_ event: LiveReplies<API.WatchActivity>.Event) {
    switch event {
    case .connected: break
    case .reply(let reply):
      isIdle = reply.state == .idle
      if isIdle {
        dim()
      } else {
        unused = nil
        // A guard that was killed may have left the screen dark.
        let wasDark = wakeGuard.light()
        if wasDark || isFirst && options.dim != nil { wake() }
        update()
      }
      isFirst = false
      process.reportReady()
    case .lost: (isIdle, unused) = (false, nil)
    case .refused: break
    }
  }

  // MARK: Dark and light

  /// Makes the screen dark: first the shields, then the darkness.
  private func dim() {
    guard wakeGuard.state == .lit, !isSuspended else { return }
    (isDimmed, mustDim) = (true, true)
    wakeGuard.darken()
    update()
  }

  private func dimIfShielded() {
    guard mustDim, shields.allSatisfy(\.isThere) else { return }
    (mustDim, mustLight) = (false, true)
    if let command = options.dim { return commands.run(command) }
    for power in powers { power.set(false) }
  }

  private func wake() {
    (isDimmed, mustDim, mustLight) = (false, false, false)
    if let command = options.wake { return commands.run(command) }
    for power in powers { power.set(true) }
  }

  private func changed(_ power: OutputPower) {
    if !power.isOn {
      wakeGuard.darken()
    } else if powers.allSatisfy(\.isOn) {
      (isDimmed, mustLight) = (false, false)
      _ = wakeGuard.light()
    } else if wakeGuard.state == .dark {
      isDimmed = false
      shields.removeAll { $0.output.isSame(as: power.output) }
    }
    update()
  }

  private func handle(_ event: Shield.Event) {
    switch event {
    case .appeared: update()
    case .began(let contact):
      if wakeGuard.begin(contact) { wake() }
      update()
    case .ended(let contact):
      wakeGuard.end(contact)
      update()
    case .closed:
      reportShields()
      process.desktop.backend.closed?()
    }
  }

  // MARK: Shields

  private func arrange() {
    outputs = process.desktop.outputs
    let (oldShields, oldPowers) = (shields, powers)
    shields = oldShields.filter { shield in
      !shield.isClosed && outputs.contains { $0.isSame(as: shield.output) }
    }
    // The fingers on a monitor that was unplugged never lift.
    if shields.isEmpty, wakeGuard.state == .waking { wakeGuard.settle() }
    if options.dim == nil {
      powers = outputs.compactMap { output in
        oldPowers.first { $0.output.isSame(as: output) }
          ?? OutputPower(of: output) { [unowned self] in changed($0) }
      }
    }
    update()
  }

  /// Shields what is dark, or nothing, as `wakeGuard` has decided.
  private func update() {
    let state = isSuspended ? .lit : wakeGuard.state
    switch state {
    case .lit:
      if !shields.isEmpty {
        shields = []
        process.desktop.synchronize()
      }
      if isIdle, !isSuspended, unused == nil, let idleAfter = options.idleAfter {
        unused = Source(afterMilliseconds: Int(idleAfter)) { [unowned self] in
          unused = nil
          if isIdle { dim() }
        }
      }
    case .dark:
      unused = nil
      for output in outputs where isDark(output) {
        guard !shields.contains(where: { $0.output.isSame(as: output) }) else { continue }
        shields.append(
          process.desktop.backend.makeShield(on: output) { [unowned self] in handle($0) })
      }
      dimIfShielded()
    case .waking: break
    }
    reportShields()
    setWaiting(wakeGuard.waitingTime)
    // What the log keeps would tell when people came.
    if state == .lit {
      process.report.setStatus("touches reach the app", isLogged: false)
    } else if state == .dark, shields.allSatisfy(\.isThere) {
      process.report.setStatus("the screen is dark: the next touch only wakes it", isLogged: false)
    }
  }

  /// Tells the daemon on which displays the app gets no touches.
  private func reportShields() {
    let match = OutputMatch(
      displays: displays, outputs: outputs.map(\.name), chosen: overlay.outputs)
    swallowed.displays = Set(
      zip(outputs, match.displays).flatMap { output, names in
        shields.contains { $0.isThere && !$0.isClosed && $0.output.isSame(as: output) } ? names : []
      })
  }

  private func isDark(_ output: Output) -> Bool {
    isDimmed || powers.contains { !$0.isOn && $0.output.isSame(as: output) }
  }

  /// Further touches do not prolong the waiting.
  private func setWaiting(_ time: Int?) {
    guard time != waiting?.time else { return }
    waiting = time.map { time in
      let source = Source(afterMilliseconds: time) { [unowned self] in
        waiting = nil
        wakeGuard.settle()
        update()
      }
      return (time, source)
    }
  }
}
