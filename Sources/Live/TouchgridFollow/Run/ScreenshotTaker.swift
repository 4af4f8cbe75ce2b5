internal import LinuxIO
internal import Text
internal import TouchModel

/// Decides when a screenshot of a page is taken and saved, for `touchgrid-follow --screenshots`.
/// The screen must have no screenshot and no mask, and neither the page nor the daemon's answer
/// about it may change around the picture.
final class ScreenshotTaker {
  /// The functions of the follower that this needs.
  struct Actions {
    /// Queries the daemon about a page. The answer arrives by `answered`; without a connection
    /// there is none.
    var ask: (ShownPage) -> Void
    /// Takes a picture of the page that a source shows. It arrives by `arrived`.
    var take: (_ source: Int) -> Void
    var status: (String) -> Void
    var warn: (String) -> Void
  }

  private enum Phase {
    case looking
    /// A picture was requested this many times.
    case taking(Int)
    case settling([UInt8])
  }

  /// The time in ms after which a picture is requested again, and the maximum number of requests. A
  /// picture does not arrive while the connection for pictures is not attached to the page yet.
  private static let (retry, tries) = (3000, 3)

  private let loop: Loop
  private let actions: Actions
  private var screenshots: Screenshots
  /// The page that each source showed last.
  private var pages: [Int: ShownPage] = [:]
  /// The page to take a picture of; nil if there is none.
  private var wanted: ShownPage?
  private var phase = Phase.looking
  /// The daemon's last answer about that page, and the time since which it is the same.
  private var daemon: (answer: DaemonScreens, since: Int64)?
  private var timer: Loop.Timer?

  init(_ folder: String, _ loop: Loop, _ actions: Actions) throws(FollowFailure) {
    screenshots = try Screenshots(folder)
    self.loop = loop
    self.actions = actions
  }

  /// Call after each observation.
  /// - Parameter page: the page that the source shows; nil if it shows no page that decides which
  ///   screen is shown.
  func update(_ page: ShownPage?, from source: Int, _ shown: ShownScreens) {
    let isNew = pages[source] != page
    pages[source] = page
    if let wanted, !shown.shows(wanted) { want(nil) }
    guard isNew, let page, !page.isMasked else { return }
    if screenshots.needsPicture(of: page.name) { want(page) }
  }

  /// Call when a daemon has connected: the answers of the previous one are void.
  func connected() { want(wanted) }

  private func want(_ page: ShownPage?) {
    (wanted, phase, daemon, timer) = (page, .looking, nil, nil)
    ask(after: PictureCalm.pause)
  }

  private func ask(after milliseconds: Int) {
    guard let wanted else { return }
    timer = loop.after(milliseconds: milliseconds) { [unowned self] in actions.ask(wanted) }
  }

  /// Call with each answer to `Actions.ask`.
  func answered(_ found: DaemonScreens, for page: ShownPage, _ shown: ShownScreens) {
    guard page == wanted, shown.shows(page) else { return }
    let (answer, now) = (found.of(page, shown), Clocks.monotonic)
    switch phase {
    case .looking:
      if daemon?.answer != answer { daemon = (answer, now) }
      guard let since = daemon?.since, PictureCalm.isOver(since: since, at: now) else {
        return ask(after: PictureCalm.pause)
      }
      guard answer.refusal(of: page) == nil else { return want(nil) }
      take(page, 1)
    case .taking(let count):
      guard daemon?.answer == answer else { return want(page) }
      if count < Self.tries { take(page, count + 1) }
    case .settling(let picture):
      guard daemon?.answer == answer else { return want(page) }
      want(nil)
      save(picture, of: page.name)
    }
  }

  private func take(_ page: ShownPage, _ count: Int) {
    phase = .taking(count)
    actions.take(page.source)
    ask(after: Self.retry)
  }

  /// Call with each picture.
  func arrived(_ picture: [UInt8], of url: String, from source: Int, _ shown: ShownScreens) {
    guard case .taking = phase, let wanted, wanted.source == source, wanted.url == url,
      shown.shows(wanted)
    else { return }
    phase = .settling(picture)
    ask(after: PictureCalm.milliseconds)
  }

  private func save(_ picture: [UInt8], of screen: String) {
    do throws(SystemError) {
      guard let path = try screenshots.save(picture, of: screen) else { return }
      actions.status("saved \(path.printable(limit: 4096))")
    } catch {
      actions.warn("\(error)")
    }
  }
}
