internal import LinuxIO
internal import Text
internal import TouchModel

/// Decides when a screenshot of a page is taken and saved, for `touchgrid-follow --screenshots`: if
/// the screen has none, if nothing of it is masked, and if neither the page nor what the daemon says
/// about it changes around the picture.
final class ScreenshotTaker {
  /// What a picture needs from the follower.
  struct Actions {
    /// Asks the daemon about a page. The answer comes by `answered`; without a connection there is
    /// none.
    var ask: (ShownPage) -> Void
    /// Takes a picture of the page that a source shows. It comes by `arrived`.
    var take: (_ source: Int) -> Void
    var status: (String) -> Void
    var warn: (String) -> Void
  }

  private enum Phase {
    case looking
    /// The picture was asked for so many times.
    case taking(Int)
    case settling([UInt8])
  }

  /// How long to wait for a picture before it is asked for again, in ms, and how often it is asked
  /// for. It does not come while the connection for pictures is not attached to the page yet.
  private static let (retry, tries) = (3000, 3)

  private let loop: Loop
  private let actions: Actions
  private var screenshots: Screenshots
  /// The page that each source showed last.
  private var pages: [Int: ShownPage] = [:]
  /// The page whose picture is wanted; nil if none is.
  private var wanted: ShownPage?
  private var phase = Phase.looking
  /// What the daemon said last about that page, and since when.
  private var daemon: (answer: DaemonScreens, since: Int64)?
  private var timer: Loop.Timer?

  init(_ folder: String, _ loop: Loop, _ actions: Actions) throws(FollowFailure) {
    screenshots = try Screenshots(folder)
    self.loop = loop
    self.actions = actions
  }

  /// Call after each observation.
  /// - Parameter page: the page that the source shows; nil if none that decides which screen is
  ///   shown.
  func update(_ page: ShownPage?, from source: Int, _ shown: ShownScreens) {
    let isNew = pages[source] != page
    pages[source] = page
    if let wanted, !shown.shows(wanted) { want(nil) }
    guard isNew, let page, !page.isMasked else { return }
    if screenshots.needsPicture(of: page.name) { want(page) }
  }

  /// Call when a daemon has connected: what an earlier one said does not count.
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
