internal import ConfigurationFiles
internal import Glibc
internal import LinuxIO
internal import Text
internal import TouchModel
internal import TouchgridAPI

/// Observes the shown screens, and names them for the daemon.
public final class Follower {
  /// The use of the observations.
  public enum Purpose: Sendable {
    /// Sends them to the daemon, and saves screenshots in a folder, if there is one.
    case follow(screenshots: String?)
    /// Prints them, without a daemon.
    case show(isJSON: Bool)
    /// Proposes rules at the end, without a daemon.
    case suggest
  }

  private enum Listener {
    case daemon(DaemonLink)
    case printer(ChangePrinter)
    case suggestions
  }

  private let loop: Loop
  private let signals: Signals
  private let configuration: FollowConfiguration
  private let report: ServiceReport
  private var shown: ShownScreens
  private var sources: [any ObservationSource] = []
  /// The last state of each source, by the index of the source. A state is compared only with the
  /// last one of the same source, so that alternating sources do not fill the log.
  private var states: [Int: String] = [:]
  /// The modes that the sources last reported, by display.
  private var modes: [String: DisplayMode] = [:]
  private var controls = ShownControls()
  /// The connection for controls and screenshots; nil if neither is needed.
  private var controlsLink: ControlsLink?
  /// The controls that were printed last, by display.
  private var printed: [String?: ShownControls.List] = [:]
  /// The secret fields that were reported, so that each is reported once.
  private var reportedSecrets: Set<String> = []
  private var screenshots: ScreenshotTaker?
  /// The number of sources that have not ended.
  private var open = 0
  private var listener = Listener.suggestions
  private var suggestions = RuleSuggestions()
  private var watch: Loop.Watch?
  private var readiness: Loop.Timer?
  private var daemonState = ""
  private var hasSaidFull = false
  private var failure: FollowFailure?

  /// Follows until SIGTERM or SIGINT, or until all sources have ended. Call this before the process
  /// starts another thread.
  /// - Parameter socket: The path of the daemon's socket.
  public static func run(
    _ configuration: FollowConfiguration, socket: String, _ purpose: Purpose
  ) throws(FollowFailure) {
    let report = ServiceReport(program: "touchgrid-follow")
    do throws(FollowFailure) {
      try Follower(configuration, socket: socket, purpose, report).run()
    } catch {
      report.setStatus("\(error)")
      throw error
    }
  }

  private init(
    _ configuration: FollowConfiguration, socket: String, _ purpose: Purpose,
    _ report: ServiceReport
  ) throws(FollowFailure) {
    self.configuration = configuration
    self.report = report
    if let refusal = RuntimeFolder.refusal { throw .nothingToFollow(refusal) }
    let kinds = try configuration.sourcesOrDesktop()
    do throws(SystemError) {
      signals = try Signals([SIGTERM, SIGINT])
      loop = try Loop()
    } catch {
      throw .system("\(error)")
    }
    shown = ShownScreens(names: Self.names(configuration), sources: kinds.count)
    switch purpose {
    case .follow(let folder):
      if let folder { screenshots = try screenshotTaker(folder) }
      do throws(TouchgridError) {
        listener = .daemon(
          try DaemonLink(loop: loop, path: socket, masks: configuration.maskedNames) {
            [unowned self] in handle($0)
          })
      } catch {
        throw .system("\(error)")
      }
      guard folder != nil || configuration.sources.contains(where: \.controls) else { break }
      do throws(TouchgridError) {
        controlsLink = try ControlsLink(loop: loop, path: socket) { [unowned self] in handle($0) }
      } catch {
        throw .system("\(error)")
      }
    case .show(let isJSON): listener = .printer(ChangePrinter(isJSON: isJSON))
    case .suggest: listener = .suggestions
    }
    open = kinds.count
    for (index, kind) in kinds.enumerated() {
      sources.append(
        try makeSource(
          kind, loop, wantsTitles: configuration.rules.contains(where: \.needsTitle),
          wantsPictures: screenshots != nil, isMasked: { [unowned self] in shown.isMasked($0) }
        ) { [unowned self] in handle($0, from: index) })
    }
  }

  private func screenshotTaker(_ folder: String) throws(FollowFailure) -> ScreenshotTaker {
    try ScreenshotTaker(
      folder, loop,
      ScreenshotTaker.Actions(
        ask: { [unowned self] in controlsLink?.ask(for: $0) },
        take: { [unowned self] in sources[$0].takePicture() },
        status: { [report] in report.setStatus($0) }, warn: { [report] in report.warn($0) }))
  }

  private static func names(
    _ configuration: FollowConfiguration, masked: Set<String> = [], partly: Set<String> = []
  ) -> ScreenNames {
    ScreenNames(
      rules: configuration.rules, options: configuration.names, masked: masked,
      partlyMasked: partly)
  }

  private func run() throws(FollowFailure) {
    if let excess = configuration.excess { report.warn("\(excess)") }
    do throws(SystemError) {
      watch = try loop.watch(signals.descriptor) { [unowned self] in signalled() }
      // Readiness waits for the daemon's first answer, up to 3 s, so that a refusal makes the start
      // of the service fail.
      readiness = loop.after(milliseconds: 3000) { [unowned self] in beReady() }
      if case .daemon(let link) = listener { try link.start() } else { beReady() }
      try controlsLink?.start()
      try loop.run()
    } catch {
      throw .system("\(error)")
    }
    report.stopping()
    if case .suggestions = listener, failure == nil { ChangePrinter.write(suggestions.text + "\n") }
    sources = []
    if let failure { throw failure }
  }

  private func signalled() {
    guard let signal = try? signals.next(), signal != 0 else { return }
    loop.end()
  }

  private func handle(_ event: SourceEvent, from source: Int) {
    switch event {
    case .seen(let seen):
      if case .suggestions = listener, case .sighting(let sighting) = seen.content {
        suggestions.add(sighting)
      }
      for response in controls.arrive(from: source, at: seen.time) { send(response) }
      let changes = shown.update(seen, from: source)
      for change in changes { send(change) }
      var url: String?
      if case .sighting(let sighting) = seen.content { url = sighting.url }
      screenshots?.update(shown.page(url, on: seen.display, from: source), from: source, shown)
      if !changes.isEmpty {
        for source in sources { source.lookForControls() }
        sendControls()
      }
      if shown.isFull, !hasSaidFull {
        hasSaidFull = true
        report.warn(
          "more than \(ScreenNames.limit) screen names: new screens are named "
            + "\(ScreenNames.other.quoted). Add rules that give several pages one name; "
            + "'touchgrid-follow --suggest' proposes some")
      }
    case .mode(let mode):
      modes[mode.display] = mode.size == nil ? nil : mode
      if case .daemon(let link) = listener { link.report(mode) }
    case .controls(let observed):
      controls.update(observed, from: source)
      sendControls()
      report(secretsOf: observed)
    case .response(let observed):
      if let response = controls.settle(observed, from: source) { send(response) }
    case .picture(let bytes, let url): screenshots?.arrived(bytes, of: url, from: source, shown)
    case .noControls(let display):
      // The daemon must stop using a layout that is no longer shown.
      controls.clear(source: source, display: display)
      sendControls()
      controls.forget(source: source, display: display)
    case .state(let text):
      guard states[source] != text else { return }
      states[source] = text
      report.setStatus(text)
    case .end:
      open -= 1
      if open == 0 { return finish() }
      controls.forget(source: source)
      for change in shown.removeSource(source, at: Clocks.monotonic) { send(change) }
    }
  }

  private func handle(_ event: DaemonLink.Event) {
    guard case .daemon(let link) = listener else { return }
    switch event {
    case .connected(let masked, let partly):
      // Send the modes before the names, because a mode determines the position of masks.
      for mode in modes.values.sorted(by: { $0.display < $1.display }) { link.report(mode) }
      for change in shown.everything(
        names: Self.names(configuration, masked: masked, partly: partly))
      {
        link.send(change)
      }
      daemonState = ""
      report.setStatus("connected to the daemon")
      beReady()
    case .state(let text):
      if text != daemonState { report.setStatus(text) }
      daemonState = text
      beReady()
    case .refused(let message):
      failure = .notPermitted(message)
      loop.end()
    }
  }

  // MARK: Controls

  /// Sends the controls of all screens that are shown now.
  private func sendControls() {
    for (source, display) in controls.places {
      guard let list = controls.list(of: source, on: display, shown: shown.current(on: display))
      else { continue }
      controls.remember(list)
      switch listener {
      case .daemon: controlsLink?.send(list)
      case .printer(let printer):
        guard printed[display] != list else { continue }
        printed[display] = list
        printer.print(list)
      case .suggestions: break
      }
    }
  }

  private func send(_ response: ObservedResponse) {
    let shown = shown.shown(on: response.display)
    guard let call = controls.call(response, shown: shown) else { return }
    switch listener {
    case .daemon: controlsLink?.send(call)
    case .printer(let printer): printer.print(call)
    case .suggestions: break
    }
  }

  /// Reports fields for secrets on a screen without a mask.
  private func report(secretsOf observed: ObservedControls) {
    guard let shown = shown.current(on: observed.display), !shown.isMasked,
      observed.url == nil || observed.url == shown.sighting?.url
    else { return }
    for secret in observed.secrets {
      let place = [secret.x, secret.y, secret.width, secret.height]
        .map { "\(Int($0.rounded()))" }.joined(separator: ",")
      let text = "\(shown.name.printable()): a secret is entered at \(place)"
      guard reportedSecrets.count < 100, reportedSecrets.insert(text).inserted else { continue }
      report.warn(
        "\(text) (x, y, width, height): mask it with [[mask]] in touchgridd.toml, or mask the whole "
          + "screen with mask = true in a [[rule]]")
    }
  }

  private func handle(_ event: ControlsLink.Event) {
    switch event {
    case .connected:
      sendControls()
      screenshots?.connected()
    case .state(let text): report.setStatus(text)
    case .screens(let found, let page): screenshots?.answered(found, for: page, shown)
    }
  }

  private func send(_ change: ShownScreens.Change) {
    switch listener {
    case .daemon(let link): link.send(change)
    case .printer(let printer): printer.print(change)
    case .suggestions: break
    }
  }

  /// Ends the follower after its last source has ended.
  private func finish() {
    guard case .daemon(let link) = listener else { return loop.end() }
    link.finish { [unowned self] in loop.end() }
  }

  private func beReady() {
    guard readiness != nil else { return }
    readiness = nil
    report.ready()
  }
}
