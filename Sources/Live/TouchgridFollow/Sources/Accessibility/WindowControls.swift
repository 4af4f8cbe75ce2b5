internal import LinuxIO
internal import Text
internal import TouchModel

/// Finds the controls of full-screen windows, by the accessibility bus.
final class WindowControls {
  struct Window: Equatable {
    var app: String
    var title: String
    var isFullScreen: Bool
    /// The size of the output in its mode, before rotation; nil if unknown.
    var size: DisplayMode.Size?
  }

  /// The report about a window.
  private struct Report: Equatable {
    var size: AccessibleTree.Place
    var items: [ObservedControls.Item]
    var secrets: [Rectangle]
  }

  /// The time, in ms, after an event before the controls are read.
  private static let calm = 200
  /// The minimum time, in ms, from one start of reading to the next.
  private static let interval = 1000
  /// The number of attempts to read a window that changes meanwhile.
  private static let attempts = 5
  /// The interval, in ms, at which a Qt program is read again, because Qt does not report moved
  /// widgets.
  private static let recheck = 10_000
  /// The allowed relative difference between the aspect ratios of a window and its output.
  private static let tolerance = 0.01

  private let loop: Loop
  private let handler: (SourceEvent) -> Void
  private var windows: [String?: Window] = [:]
  private var bus: AccessibilityBus?
  private var timer: Loop.Timer?
  private var recheckTimer: Loop.Timer?
  private var lastStart: Int64 = 0
  /// The places to be read.
  private var queue: [String?] = []
  private var reader: WindowReader?
  /// Whether a lost connection was reported.
  private var isLost = false
  /// Whether controls have changed since the reading began.
  private var isStale = false
  private var failures = 0
  /// The number of attempts that did not find the window.
  private var misses = 0
  private var delay = RetryDelay(shortest: 500, longest: 16_000)
  private var reports: [String?: Report] = [:]
  /// The programs of the windows that were last read.
  private var programs: [String?: String] = [:]
  private var refusals: [String?: String] = [:]

  init(loop: Loop, _ handler: @escaping (SourceEvent) -> Void) {
    self.loop = loop
    self.handler = handler
    bus = AccessibilityBus(loop: loop) { [unowned self] in handle($0) }
  }

  /// Sets the shown windows, by display.
  func show(_ now: [String?: Window]) {
    guard now != windows else { return }
    for (place, window) in windows where now[place] != window { forget(place) }
    windows = now
    look()
  }

  /// Reads the controls again, and reports them even if they are unchanged.
  func look() {
    reports = [:]
    delay.reset()
    failures = 0
    misses = 0
    isStale = true
    schedule()
  }

  private func forget(_ place: String?) {
    reports[place] = nil
    programs[place] = nil
    handler(.noControls(display: place))
  }

  private func handle(_ event: AccessibilityBus.Event) {
    switch event {
    case .connected:
      if isLost { handler(.state("connected to the accessibility bus")) }
      isLost = false
      look()
    case .changed(let program):
      let isOurs =
        programs.values.contains(program) || reader?.program == program
        || windows.keys.contains { programs[$0] == nil }
      guard isOurs else { return }
      if reader?.program == program { isStale = true }
      schedule()
    case .lost(let reason):
      reader = nil
      queue = []
      timer = nil
      recheckTimer = nil
      for place in windows.keys { forget(place) }
      refusals = [:]
      isLost = true
      handler(.state("\(reason), so the controls of windows are not counted"))
    }
  }

  private func schedule(in milliseconds: Int = calm) {
    guard timer == nil, bus?.connection != nil else { return }
    let now = Clocks.monotonic
    let due = max(now + Int64(milliseconds) * 1000, lastStart + Int64(Self.interval) * 1000)
    timer = loop.after(milliseconds: Int((due - now + 999) / 1000)) { [unowned self] in start() }
  }

  private func start() {
    timer = nil
    recheckTimer = nil
    // The current reading may be outdated, so read again after it.
    guard reader == nil else { return schedule() }
    lastStart = Clocks.monotonic
    queue = windows.keys.sorted { ($0 ?? "") < ($1 ?? "") }
    readNext()
  }

  private func readNext() {
    reader = nil
    guard let place = queue.popLast() else { return }
    guard let window = windows[place], let connection = bus?.connection else { return readNext() }
    guard window.isFullScreen else {
      refuse(place, "is not full screen")
      return readNext()
    }
    let time = Clocks.monotonic
    isStale = false
    reader = WindowReader(loop: loop, bus: connection, title: window.title) { [unowned self] in
      handle($0, window, place, time)
      readNext()
    }
  }

  private func handle(
    _ result: Result<WindowReader.Found, WindowReader.Refusal>, _ window: Window,
    _ place: String?, _ time: Int64
  ) {
    guard windows[place] == window else { return }
    switch result {
    case .success(let found):
      if isStale { return retryChanged(place) }
      programs[place] = found.program
      report(found, window, place, time)
    case .failure(.changed): retryChanged(place)
    case .failure(let refusal):
      misses += 1
      let isTemporary = [.notFound, .noAnswer, .ambiguous].contains(refusal)
      // The window may appear on the accessibility bus only after some time.
      if !isTemporary || misses > 1 { refuse(place, refusal.text) } else { forget(place) }
      if isTemporary, !delay.isLongest || refusal == .noAnswer { schedule(in: delay.next()) }
    }
  }

  private func retryChanged(_ place: String?) {
    failures += 1
    if failures >= Self.attempts { refuse(place, "changes constantly") }
    schedule()
  }

  private func report(
    _ found: WindowReader.Found, _ window: Window, _ place: String?, _ time: Int64
  ) {
    guard let size = found.tree.objects.first?.place, size.width > 0, size.height > 0,
      size.width <= 100_000, size.height <= 100_000
    else { return refuse(place, "has no size") }
    if let output = window.size {
      let shape = Double(size.width) / Double(size.height)
      let wanted = Double(output.width) / Double(output.height)
      guard [wanted, 1 / wanted].contains(where: { abs(shape / $0 - 1) <= Self.tolerance }) else {
        return refuse(
          place, "does not have the shape of its output: it is \(size.width) x \(size.height)")
      }
    }
    failures = 0
    misses = 0
    delay.reset()
    let (items, secrets) = found.tree.controls()
    let report = Report(size: size, items: items, secrets: secrets)
    let isNew = reports[place] != report
    if found.tree.toolkit == .qt6 {
      recheckTimer = loop.after(milliseconds: isNew ? Self.interval : Self.recheck) {
        [unowned self] in schedule(in: 0)
      }
    }
    if refusals.removeValue(forKey: place) != nil, refusals.isEmpty {
      handler(.state("counting the controls of \(window.app.quoted)"))
    }
    guard isNew else { return }
    reports[place] = report
    handler(
      .controls(
        ObservedControls(
          display: place, width: Double(size.width), height: Double(size.height),
          items: Array(items.prefix(ScreenControls.limit)), time: time,
          secrets: Array(secrets.prefix(64)))))
  }

  private func refuse(_ place: String?, _ reason: String) {
    forget(place)
    guard let window = windows[place] else { return }
    let text = "the window of \(window.app.quoted) \(reason), so its controls are not counted"
    refusals[place] = text
    handler(.state(text))
  }
}

extension WindowReader.Refusal {
  /// The problem of the window, as text after "the window of …".
  fileprivate var text: String {
    switch self {
    case .notFound:
      "is not on the accessibility bus (see Controls in docs/follow.md: a Qt program needs "
        + "QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1)"
    case .ambiguous: "has the same title as another window"
    case .noAnswer: "does not answer on the accessibility bus"
    case .offset: "reports another place than the whole screen"
    case .toolkit(let name) where name.hasPrefix("GTK 4."):
      "is one of GTK 4, which reports other edges than those of its controls"
    case .toolkit(let name):
      "is one of \(name.quoted); controls are found in programs of GTK 3 and Qt 6"
    case .quick: "is one of Qt Quick, which does not report what scrolls"
    case .tooLarge: "has more than \(AccessibleTree.sizeLimit) accessible objects"
    case .changed: "changes constantly"
    }
  }
}
