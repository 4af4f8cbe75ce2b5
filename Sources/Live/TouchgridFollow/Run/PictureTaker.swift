internal import LinuxIO
internal import Text
internal import TouchModel
internal import TouchgridAPI

/// Takes one picture of a page, for `touchgrid picture take`: from a browser that is followed
/// through DevTools, with the page's name by the same rules, and never of a screen with a mask. It
/// names no screens, and observes no other sources.
public final class PictureTaker {
  /// The picture, as it is printed.
  public struct Taken: Encodable, Sendable {
    var screen: String
    /// The daemon's name of the display; nil for all displays.
    var display: String?
    var type = "image/png"
    /// The file in Base64.
    var data: String
  }

  /// The largest picture, in bytes. `touchgrid picture` accepts no larger one.
  private static let limit = 6 << 20
  /// How long a page must be shown before its picture is taken, and after it, in ms. A page may show
  /// something else before its address says so.
  private static let calm = 1000
  /// How long to wait for a page in each browser, in ms; for a picture, before it is asked for again;
  /// and for everything.
  private static let (patience, retry, timeout) = (5000, 3000, 20_000)

  /// A page that is shown.
  private struct Page: Equatable {
    /// The index of the source that shows it.
    var source: Int
    var display: String?
    var name: String
    var isMasked: Bool
    var url: String?
  }

  private enum Phase {
    case looking
    case taking(Page)
    case settling(Page, [UInt8])
  }

  private let loop: Loop
  private let kinds: [FollowConfiguration.Source]
  /// The screen that is wanted; nil for the one that is shown.
  private let wanted: String?
  private var client: TouchgridClient
  private var masks: API.GetMasks.Reply
  private var sources: [any ObservationSource] = []
  private var shown: ShownScreens
  /// The address that each source shows; nil if it shows no page.
  private var urls: [String?]
  private var phase = Phase.looking
  /// What each source said last.
  private var states: [Int: String] = [:]
  private var timers: [Loop.Timer] = []
  private var calmTimer: Loop.Timer?
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
    urls = kinds.map { _ in nil }
    for (index, kind) in kinds.enumerated() {
      sources.append(
        try makeSource(
          kind, loop, wantsTitles: configuration.rules.contains(where: \.needsTitle),
          wantsPictures: true
        ) { [unowned self] in handle($0, from: index) })
    }
  }

  private func run() throws(FollowFailure) -> Taken {
    timers = [
      loop.after(milliseconds: Self.patience) { [unowned self] in choose() },
      loop.after(milliseconds: Self.timeout) { [unowned self] in
        fail("the browser gave no picture within \(Self.timeout / 1000) s")
      },
    ]
    do throws(SystemError) { try loop.run() } catch { throw .system("\(error)") }
    sources = []
    guard let result else { throw .system("the picture was not taken") }
    return try result.get()
  }

  private func fail(_ reason: String) {
    result = result ?? .failure(.nothingToFollow(reason))
    loop.end()
  }

  private func handle(_ event: SourceEvent, from source: Int) {
    guard result == nil else { return }
    switch event {
    case .seen(let seen):
      _ = shown.update(seen, from: source)
      if case .sighting(let sighting) = seen.content {
        urls[source] = sighting.url
      } else {
        urls[source] = nil
      }
      seenAnew()
    case .picture(let bytes):
      guard case .taking(let page) = phase, page.source == source else { return }
      phase = .settling(page, bytes)
      calmTimer = loop.after(milliseconds: Self.calm) { [unowned self] in finish(page, bytes) }
    case .state(let text): states[source] = text
    case .mode, .controls, .noControls, .response, .end: break
    }
  }

  /// Checks each change, so that a page is noticed that was shown only while the picture was taken.
  private func seenAnew() {
    switch phase {
    case .looking:
      calmTimer = loop.after(milliseconds: Self.calm) { [unowned self] in
        if urls.allSatisfy({ $0 != nil }) { choose() }
      }
    case .taking(let page), .settling(let page, _):
      if self.page(of: page.source) != page {
        fail("another page was shown while the picture was taken: try again")
      }
    }
  }

  /// Returns the page that a source shows, if it decides which screen is shown; nil if not.
  private func page(of source: Int) -> Page? {
    guard let url = urls[source], let change = shown.current(on: kinds[source].display),
      change.sighting?.url == url
    else { return nil }
    return Page(
      source: source, display: kinds[source].display, name: change.name, isMasked: change.isMasked,
      url: url)
  }

  // MARK: One page

  private func choose() {
    guard case .looking = phase else { return }
    let pages = kinds.indices.compactMap { page(of: $0) }
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
    guard let masks = askForMasks(of: page) else { return }
    self.masks = masks
    phase = .taking(page)
    take(page)
  }

  private func take(_ page: Page) {
    guard case .taking = phase else { return }
    sources[page.source].takePicture()
    // Nothing happens while the connection for pictures is not attached to the page yet.
    calmTimer = loop.after(milliseconds: Self.retry) { [unowned self] in take(page) }
  }

  private func finish(_ page: Page, _ bytes: [UInt8]) {
    guard bytes.count <= Self.limit else {
      return fail(
        "the picture is larger than \(Self.limit >> 20) MiB: add a JPEG with 'touchgrid picture add'"
      )
    }
    guard let masks = askForMasks(of: page) else { return }
    guard masks == self.masks else {
      return fail("the masks changed while the picture was taken: try again")
    }
    do throws(TouchgridError) {
      let displays = try client.call(API.GetDisplays()).displays
        .filter { page.display == nil || $0.name == page.display }
      if let other = displays.first, !displays.contains(where: { $0.screen == page.name }) {
        return fail(
          "the page is named \(page.name.quoted), but the daemon counts touches on "
            + "\(other.screen.quoted): does another program name the screens?")
      }
    } catch {
      return fail("\(error)")
    }
    result = .success(Taken(screen: page.name, display: page.display, data: base64(bytes)))
    loop.end()
  }

  /// Asks the daemon for its masks.
  /// - Returns: nil if the page is masked, by the daemon or by a rule, or if the daemon does not
  ///   answer.
  private func askForMasks(of page: Page) -> API.GetMasks.Reply? {
    do throws(TouchgridError) {
      let masks = try client.call(API.GetMasks())
      guard !masks.everything else {
        fail("the daemon masks everything until it is set up: run 'sudo touchgrid setup'")
        return nil
      }
      guard !page.isMasked, !masks.concerns(page.name) else {
        fail("the screen \(page.name.quoted) is masked, and no picture is taken of it")
        return nil
      }
      return masks
    } catch {
      fail("\(error)")
      return nil
    }
  }

  private static func words(_ names: [String]) -> String {
    names.prefix(5).map(\.quoted).joined(separator: ", ") + (names.count > 5 ? " and more" : "")
  }
}
