internal import LinuxIO
internal import Text
internal import TouchModel
internal import TouchgridAPI

/// Takes one picture of a page for `touchgrid picture take`, from a browser that is observed
/// through DevTools. The page gets its name by the same rules as in a follower. Never takes
/// pictures of screens with a mask, names no screens, and ignores other sources.
public final class PictureTaker {
  /// The picture in the form for printing.
  public struct Taken: Encodable, Sendable {
    var screen: String
    /// The daemon's name of the display; nil for all displays.
    var display: String?
    var type = "image/png"
    /// The PNG file in Base64.
    var data: String
  }

  /// The largest picture that `touchgrid picture` accepts, in bytes.
  private static let limit = 6 << 20
  /// The timeouts, in ms: for a page in each browser, for a picture before it is requested again,
  /// and for the whole.
  private static let (pageTimeout, retry, timeout) = (5000, 3000, 20_000)

  private enum Phase {
    case looking
    /// A picture was requested. `DaemonScreens` is the daemon's answer before the request.
    case taking(ShownPage, DaemonScreens)
    case settling
  }

  /// The state of a source.
  private struct Seen {
    /// nil if the source shows no page.
    var url: String?
    /// nil if the page does not decide which screen is shown.
    var page: ShownPage?
    /// The daemon's answer about the page; nil before the query.
    var daemon: DaemonScreens?
    /// The time of the last change of any of these, on `CLOCK_MONOTONIC`, in µs.
    var since: Int64
  }

  private let loop: Loop
  private let kinds: [FollowConfiguration.Source]
  /// The required screen; nil for any shown screen.
  private let wanted: String?
  private var client: TouchgridClient
  private var sources: [any ObservationSource] = []
  private var shown: ShownScreens
  private var seen: [Seen]
  private var phase = Phase.looking
  /// The source whose picture is taken; nil before the choice.
  private var pictured: Int?
  private let began = Clocks.monotonic
  /// The last state of each source, as text.
  private var states: [Int: String] = [:]
  private var timeoutTimer: Loop.Timer?
  private var timer: Loop.Timer?
  private var result: Result<Taken, FollowFailure>?

  /// Takes the picture. Call this before the process starts another thread.
  /// - Parameters:
  ///   - socket: the path of the daemon's socket.
  ///   - screen: the screen that must be shown; nil for any.
  /// - Throws: the reason why there is no picture.
  public static func run(
    _ configuration: FollowConfiguration, socket: String, screen: String?
  ) throws(FollowFailure) -> Taken {
    try PictureTaker(configuration, socket: socket, screen: screen).run()
  }

  private init(
    _ configuration: FollowConfiguration, socket: String, screen: String?
  ) throws(FollowFailure) {
    kinds = configuration.sources.filter { if case .devTools = $0.kind { true } else { false } }
    guard !kinds.isEmpty else {
      throw .nothingToFollow(
        "it follows no browser through DevTools (kind = \"devtools\"), which alone can take "
          + "pictures: add one with 'touchgrid picture add'")
    }
    wanted = screen
    let masks: API.GetMasks.Reply
    do throws(TouchgridError) {
      client = try TouchgridClient(path: socket, timeout: .seconds(5))
      masks = try client.call(API.GetMasks())
    } catch {
      throw .system(error.advice(path: socket))
    }
    do throws(SystemError) { loop = try Loop() } catch { throw .system("\(error)") }
    let masked = masks.configured + masks.added + masks.widened
    shown = ShownScreens(
      names: ScreenNames(
        rules: configuration.rules, options: configuration.names,
        masked: Set(masked.map(\.screen))), sources: kinds.count)
    seen = kinds.map { [began] _ in Seen(since: began) }
    for (index, kind) in kinds.enumerated() {
      sources.append(
        try makeSource(
          kind, loop, wantsTitles: configuration.rules.contains(where: \.needsTitle),
          wantsPictures: true, isMasked: { [unowned self] in shown.isMasked($0) }
        ) { [unowned self] in handle($0, from: index) })
    }
  }

  private func run() throws(FollowFailure) -> Taken {
    timeoutTimer = loop.after(milliseconds: Self.timeout) { [unowned self] in
      let reason =
        pictured == nil ? "the screen kept changing for" : "the browser gave no picture within"
      fail("\(reason) \(Self.timeout / 1000) s")
    }
    look()
    do throws(SystemError) { try loop.run() } catch { throw .system("\(error)") }
    sources = []
    guard let result else { throw .system("the picture was not taken: the follower ended first") }
    return try result.get()
  }

  private func fail(_ reason: String) {
    result = result ?? .failure(.nothingToFollow(reason))
    loop.end()
  }

  private func handle(_ event: SourceEvent, from source: Int) {
    guard result == nil else { return }
    switch event {
    case .seen(let observed):
      _ = shown.update(observed, from: source)
      var url: String?
      if case .sighting(let sighting) = observed.content { url = sighting.url }
      if url != seen[source].url { seen[source].since = Clocks.monotonic }
      seen[source].url = url
      seenAnew()
    case .picture(let bytes, let url):
      guard case .taking(let page, let daemon) = phase, page.source == source else { return }
      // Ignore the browser's other tabs, which have other addresses.
      guard page.url == url, isUnchanged(page, daemon) else { return }
      phase = .settling
      timer = loop.after(milliseconds: PictureCalm.milliseconds) { [unowned self] in
        finish(page, daemon, bytes)
      }
    case .state(let text): states[source] = text
    case .mode, .controls, .noControls, .response, .end: break
    }
  }

  /// Updates the state of all sources. Call it after each change, so that a page that is shown only
  /// during the picture is noticed.
  private func seenAnew() {
    for source in kinds.indices {
      let page = shown.page(seen[source].url, on: kinds[source].display, from: source)
      guard page != seen[source].page else { continue }
      if source == pictured {
        fail("another page was shown while the picture was taken: try again")
      }
      seen[source] = Seen(url: seen[source].url, page: page, since: Clocks.monotonic)
    }
  }

  // MARK: One page

  /// Checks repeatedly until a page, and the daemon's answer about it, have been the same for a
  /// while.
  private func look() {
    guard result == nil else { return }
    let now = Clocks.monotonic
    guard let daemon = ask() else { return }
    for source in kinds.indices {
      guard let page = seen[source].page else { continue }
      let answer = daemon.of(page, shown)
      if let before = seen[source].daemon, before != answer { seen[source].since = now }
      seen[source].daemon = answer
    }
    let isLate = now - began >= Int64(Self.pageTimeout) * 1000
    let isCalm = seen.allSatisfy {
      $0.url != nil && PictureCalm.isOver(since: $0.since, at: now)
    }
    if isLate || isCalm { choose(at: now) }
    guard pictured == nil, result == nil else { return }
    timer = loop.after(milliseconds: PictureCalm.pause) { [unowned self] in look() }
  }

  private func choose(at time: Int64) {
    let pages = seen.compactMap(\.page)
    let names = Set(pages.map(\.name)).sorted()
    guard let first = pages.first else {
      return fail(
        "no page with a name is visible\(states.sorted { $0.key < $1.key }.map { ": \($0.value)" }.joined())"
      )
    }
    if wanted == nil, names.count > 1 {
      return fail(
        "several screens are shown (\(Self.words(names))): name one of them instead of --current")
    }
    guard let page = wanted == nil ? first : pages.first(where: { $0.name == wanted }) else {
      return fail(
        "the screen \((wanted ?? "").quoted) is not shown, but \(Self.words(names)): show it on the "
          + "kiosk first")
    }
    let own = seen[page.source]
    guard PictureCalm.isOver(since: own.since, at: time), let daemon = own.daemon else { return }
    pictured = page.source
    phase = .taking(page, daemon)
    take(page, daemon)
  }

  private func take(_ page: ShownPage, _ daemon: DaemonScreens) {
    guard case .taking = phase, isUnchanged(page, daemon) else { return }
    sources[page.source].takePicture()
    // The picture does not arrive if the connection for pictures is not attached to the page yet,
    // so request it again.
    timer = loop.after(milliseconds: Self.retry) { [unowned self] in take(page, daemon) }
  }

  private func finish(_ page: ShownPage, _ daemon: DaemonScreens, _ bytes: [UInt8]) {
    guard bytes.count <= Self.limit else {
      return fail(
        "the picture is larger than \(Self.limit >> 20) MiB: add a JPEG with 'touchgrid picture add'"
      )
    }
    guard isUnchanged(page, daemon) else { return }
    result = .success(Taken(screen: page.name, display: page.display, data: base64(bytes)))
    loop.end()
  }

  // MARK: The daemon

  /// Queries the daemon whether the page may be taken and nothing has changed. Otherwise fails.
  private func isUnchanged(_ page: ShownPage, _ earlier: DaemonScreens) -> Bool {
    guard result == nil, let daemon = ask()?.of(page, shown) else { return false }
    let change = daemon.change(since: earlier).map {
      "\($0) while the picture was taken: try again"
    }
    guard let reason = daemon.refusal(of: page) ?? change else { return true }
    fail(reason)
    return false
  }

  /// Queries the daemon's masks and screens.
  private func ask() -> DaemonScreens? {
    do throws(TouchgridError) {
      var daemon = DaemonScreens(masks: try client.call(API.GetMasks()))
      for display in try client.call(API.GetDisplays()).displays {
        daemon.screens[display.name] = try client.call(API.GetScreen(display: display.name))
      }
      return daemon
    } catch {
      fail("\(error)")
      return nil
    }
  }

  private static func words(_ names: [String]) -> String {
    names.prefix(5).map(\.quoted).joined(separator: ", ") + (names.count > 5 ? " and more" : "")
  }
}
