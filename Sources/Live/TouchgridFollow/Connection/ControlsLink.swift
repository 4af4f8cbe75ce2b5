internal import LinuxIO
internal import Text
internal import TouchModel
internal import TouchgridAPI

/// A second connection to the daemon, for controls, responses, and queries about masks and screens,
/// so that names never wait for these. It reconnects automatically, and makes one call at a time.
final class ControlsLink {
  enum Event {
    /// The link is connected to a daemon that does not know the controls yet.
    case connected
    /// A message for the log, as text for users.
    case state(String)
    /// The daemon's masks and the screens of all displays, for a picture of the page.
    case screens(DaemonScreens, ShownPage)
  }

  private enum Step {
    case displays(ShownControls.List)
    case controls(API.SetControls)
    case response(API.AddResponse)
    case masks(ShownPage)
    case places(DaemonScreens, ShownPage)
    /// `rest` has the displays whose screen is still unknown. A query for the first is in progress.
    case screens(DaemonScreens, rest: ArraySlice<String>, ShownPage)
  }

  private let loop: Loop
  private let handler: (Event) -> Void
  private let connection: TouchgridConnection
  private var watch: Loop.Watch?
  /// The call whose reply has not arrived yet; nil if there is none.
  private var current: Step?
  /// The lists to be sent, the newest of each screen.
  private var lists: [ShownControls.List] = []
  private var pages: [ShownPage] = []
  private var responses: [API.AddResponse] = []
  /// The maximum number of waiting responses. The daemon has the same limit.
  private static let responseLimit = 32
  /// The controls that the daemon has, by screen and display.
  private var sent: [[ExactName?]: API.SetControls] = [:]
  private var isConnected = false
  private var reported: Set<String> = []

  /// - Parameter path: The path of the daemon's socket.
  init(
    loop: Loop, path: String, _ handler: @escaping (Event) -> Void
  ) throws(TouchgridError) {
    self.loop = loop
    self.handler = handler
    connection = try TouchgridConnection(path: path, opening: ConnectionOpening(pauses: false))
  }

  func start() throws(SystemError) {
    // The closure cannot outlive `self`, which owns the watch.
    watch = try loop.watch(connection.descriptor) { [unowned self] in read() }
    read()
  }

  /// Sends the controls of a screen, unless the daemon has the same already.
  func send(_ list: ShownControls.List) {
    lists.removeAll { $0.display == list.display && $0.screen == list.screen }
    lists.append(list)
    next()
  }

  /// Sends a response. Without a connection, it is lost.
  func send(_ response: API.AddResponse) {
    guard isConnected else { return }
    if responses.count == Self.responseLimit { responses.removeFirst() }
    responses.append(response)
    next()
  }

  /// Queries the masks and screens that decide whether a picture of a page may be taken. Without a
  /// connection, there is no answer.
  func ask(for page: ShownPage) {
    guard isConnected else { return }
    pages = [page]
    next()
  }

  private func read() {
    while let event = connection.next() {
      switch event {
      case .connected:
        isConnected = true
        (current, lists, responses, pages, sent) = (nil, [], [], [], [:])
        handler(.connected)
      case .lost, .refused:
        // The connection for names reports the reason.
        isConnected = false
        (current, lists, responses, pages) = (nil, [], [], [])
      }
    }
    guard isConnected, let current else { return }
    do throws(TouchgridError) {
      guard try hasAnswer(to: current) else { return }
    } catch {
      return connection.drop(error)
    }
    self.current = nil
    next()
  }

  private func next() {
    guard isConnected, current == nil else { return }
    if !lists.isEmpty {
      start(.displays(lists.removeFirst()))
    } else if !responses.isEmpty {
      start(.response(responses.removeFirst()))
    } else if !pages.isEmpty {
      start(.masks(pages.removeFirst()))
    }
  }

  private func start(_ step: Step) {
    // If this fails, the connection itself reports its loss.
    do throws(TouchgridError) {
      switch step {
      case .displays, .places: try connection.start(API.GetDisplays())
      case .controls(let call): try connection.start(call)
      case .response(let call): try connection.start(call)
      case .masks: try connection.start(API.GetMasks())
      case .screens(_, let rest, _): try connection.start(API.GetScreen(display: rest.first))
      }
      current = step
    } catch {}
  }

  /// Reads and applies the reply to a step.
  /// - Returns: false if the reply has not arrived yet, or if the step is followed by another.
  /// - Throws: An error after which the connection must be dropped.
  private func hasAnswer(to step: Step) throws(TouchgridError) -> Bool {
    do throws(TouchgridError) {
      switch step {
      case .displays(let list):
        guard let reply = try connection.receive(API.GetDisplays.self)?.reply else { return false }
        guard let call = place(list, on: reply.displays) else { return true }
        current = nil
        start(.controls(call))
        return false
      case .controls:
        return try connection.receive(API.SetControls.self) != nil
      case .response: return try connection.receive(API.AddResponse.self) != nil
      case .masks(let page):
        guard let masks = try connection.receive(API.GetMasks.self)?.reply else { return false }
        current = nil
        start(.places(DaemonScreens(masks: masks), page))
        return false
      case .places(let found, let page):
        guard let reply = try connection.receive(API.GetDisplays.self)?.reply else { return false }
        return isDone(found, reply.displays.map(\.name)[...], page)
      case .screens(var found, let rest, let page):
        guard let reply = try connection.receive(API.GetScreen.self)?.reply else { return false }
        if let display = rest.first { found.screens[display] = reply }
        return isDone(found, rest.dropFirst(), page)
      }
    } catch {
      guard error.isRefusal else { throw error }
      // The text would reveal the time of a touch.
      if case .response = step { return true }
      // After an error, the daemon has none of the controls.
      if case .controls(let call) = step { sent[Self.place(call)] = nil }
      report("\(error)")
      return true
    }
  }

  /// Asks for the screen of the next display.
  /// - Returns: true if there is none, and the answer is complete.
  private func isDone(
    _ found: DaemonScreens, _ rest: ArraySlice<String>, _ page: ShownPage
  ) -> Bool {
    guard !rest.isEmpty else {
      handler(.screens(found, page))
      return true
    }
    current = nil
    start(.screens(found, rest: rest, page))
    return false
  }

  /// Returns the call for a list; nil if the daemon already has it, or if the controls cannot be
  /// placed.
  private func place(_ list: ShownControls.List, on displays: [API.Display]) -> API.SetControls? {
    do throws(ShownControls.List.Refusal) {
      let call = try list.call(displays)
      let place = Self.place(call)
      // A screen that never had controls needs no empty list.
      guard sent[place] != call, sent[place] != nil || !call.controls.isEmpty else { return nil }
      sent[place] = call
      return call
    } catch {
      report("\(list.screen.printable()): \(error)")
      return nil
    }
  }

  private static func place(_ call: API.SetControls) -> [ExactName?] {
    [call.display.map { ExactName($0) }, ExactName(call.screen)]
  }

  /// Reports each message only once, and at most 100 messages in all.
  private func report(_ text: String) {
    let text = text.printable(limit: 500)
    guard reported.count < 100, reported.insert(text).inserted else { return }
    handler(.state("controls: \(text)"))
  }
}
