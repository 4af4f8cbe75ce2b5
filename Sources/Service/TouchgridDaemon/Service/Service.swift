internal import LinuxIO
internal import Storage
internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// Answers the methods of io.touchgrid, on the thread that reads the devices. It never waits:
/// queries about the past are answered by the query thread of the storage.
final class Service {
  /// The lowest token of the poller for the listener and the clients.
  static let firstToken: UInt64 = 1 << 62

  let capture: Capture
  let storage: StorageSink
  let devices: any DeviceList
  let log: Log
  let started = Moment.now
  /// The permissions of callers.
  var access: Access { didSet { server?.policy = access } }
  var pauses = Pauses()
  var followers = Followers()
  /// Limits the calls of `BeginSession`, for all clients together.
  var begun = CallRateLimit()
  /// Limits the calls of `SetDisplay`, for all clients together.
  var turns = CallRateLimit()
  /// Limits the calls of `SetDisplayMode` for each user, by user ID.
  var modeBudgets: [UInt32: CallRateLimit] = [:]
  /// The calls of `WatchTouches` that are in progress, with their callers.
  var watchers: [CallID: PeerCredentials] = [:]
  /// The calls of `WatchActivity` that are in progress.
  var activityWatchers: [CallID: ActivityWatcher] = [:]
  /// The calls of `WatchCovers` that are in progress.
  var coverWatchers: [CallID: CoverWatcher] = [:]
  /// The recorder's revision when the covers were last sent; nil if they must be sent again.
  var coversRevision: Int?
  /// The calls of `SuspendGuard` that are in progress, with their callers.
  var guardSuspensions: [CallID: PeerCredentials] = [:] { didSet { coversRevision = nil } }
  /// The queries that the storage has not answered yet, by call.
  var pendingQueries: [CallID: QueryID] = [:]
  /// Calls of `SetScreen` that wait for the next round, so that the touches up to their time are
  /// read first. See `isEarly`.
  var early: [(wish: API.SetScreen, call: Call)] = []
  /// The displays last sent to the watchers.
  var layout: [API.Display] = []
  /// The masks last sent to the watchers.
  var sentMasks: [API.Mask] = []
  /// The recorder's revision when `layout` and `sentMasks` were last updated.
  var layoutRevision = 0
  var configuredMasks: [Mask]
  /// The keys of the configuration with changed values that take effect only after a restart.
  var restartNeededFor: [String] = []
  var addedMasks: [Mask] = []
  var configuredControls: [ScreenControls]
  /// The controls that clients have set: one list for each screen and display.
  var addedControls: [ScreenControls] = []
  var layouts = LayoutLimit()

  /// While replies of more than this many bytes wait to be read by clients, new queries are
  /// refused.
  private static let answersLimit = 32 << 20
  /// The maximum number of bytes of replies that wait to be read, including a new answer: the
  /// length of the longest answer and a reserve.
  private static let queueLimit = ReplyEncoder.answerLimit + (8 << 20)

  let server: Server?
  /// Whether the last round ended without clients and pending work. `serve` then returns at once
  /// unless a descriptor is ready, which keeps the processing of frames cheap.
  private var isAlone = false
  private let answers: Answers

  /// - Parameter listener: the socket for clients; nil: there are no clients.
  init(
    _ listener: consuming UnixListener?, configuration: Configuration, capture: Capture,
    storage: StorageSink, devices: any DeviceList, log: Log
  ) throws(DaemonError) {
    let access = Access(configuration.roles)
    if let listener = listener.take() {
      server = Server(
        listener: listener, vendor: "Touchgrid", product: "touchgridd",
        version: touchgridVersion, url: "",
        interfaces: [.touchgrid], policy: access, limits: ServerLimits(), errors: .touchgrid,
        firstToken: Self.firstToken)
    } else {
      server = nil
    }
    answers = try system { () throws(SystemError) in try Answers() }
    self.capture = capture
    self.storage = storage
    self.devices = devices
    self.log = log
    self.access = access
    configuredMasks = configuration.masks
    configuredControls = configuration.controls
    capture.masksEverything = !configuration.isSetUp
    // Masks apply to all times, because the touches of a replay lie in the past.
    applyMasks(at: nil)
    applyControls(at: nil)
    capture.recorder.funnels = configuration.funnels
    capture.recorder.covers = configuration.covers
    logMissingGroups()
  }

  var clientCount: Int { server?.clientCount ?? 0 }

  // MARK: The loop

  func start(poller: inout Poller) throws(SystemError) {
    try server?.start(poller: &poller)
    try poller.add(answers.descriptor, token: EventLoop.Token.answers)
  }

  func owns(_ token: UInt64) -> Bool {
    token == EventLoop.Token.answers || server?.owns(token) ?? false
  }

  /// Serves the descriptors that are ready, and performs the work that is due.
  func serve(_ ready: [Poller.Ready], poller: inout Poller, at moment: Moment) {
    guard let server, !(isAlone && ready.isEmpty) else { return }
    for event in ready {
      if event.token == EventLoop.Token.answers {
        sendAnswers()
      } else {
        server.handle(event, poller: &poller)
      }
    }
    cancelAbandonedQueries(server)
    endDuePauses(at: moment)
    let early = early
    self.early = []
    // Only callers with the role app name screens.
    if !early.isEmpty { devices.readWaiting(.all, at: moment) }
    for (wish, call) in early {
      answerOrRefuse(call) { () throws(VarlinkError) in
        try access.check(call.method, by: call.peer)
        send(EncodedReply(try name(wish, by: call, at: moment)), to: call.id)
      }
    }
    dispatch(server, poller: &poller, at: moment)
    // This comes after the calls of this round, because a follower may have just named the screen
    // again.
    forgetDueFollowers(at: moment)
    // Sends watchers the changes that the calls have made.
    let hasFrames = publish(at: moment)
    let hasCovers = publishCovers()
    if publishActivity(at: moment) || hasFrames || hasCovers { server.flush(poller: &poller) }
    isAlone =
      server.isAlone && pendingQueries.isEmpty && early.isEmpty
      && followers.nextDeadline == nil
  }

  private func dispatch(_ server: Server, poller: inout Poller, at moment: Moment) {
    server.serve(poller: &poller, at: moment.boottime.microseconds) { event in
      switch event {
      case .call(let call):
        answerOrRefuse(call) { () throws(VarlinkError) in try receive(call, at: moment) }
      case .closed(let connection): forget(connection, at: moment)
      }
    }
  }

  /// The time on `CLOCK_BOOTTIME` at which `serve` is next needed; zero if at once, nil if not
  /// until a descriptor is ready.
  var nextDeadline: Timestamp? {
    guard let server, !isAlone else { return nil }
    if server.hasWork || hasNews || hasCoverNews || !early.isEmpty { return .zero }
    let own = Timestamp.first(
      .first(pauses.nextDeadline, followers.nextDeadline), nextIdleTime)
    return .first(
      .first(server.nextDeadline.map(Timestamp.init(microseconds:)), own),
      capture.nextFrameDeadline)
  }

  func stop(poller: inout Poller) { server?.stop(poller: &poller) }

  /// Adopts a new configuration.
  func apply(_ configuration: Configuration, at moment: Moment) {
    access = Access(configuration.roles)
    logMissingGroups()
    removeUnauthorisedWatchers()
    _ = publish(at: moment)
    configuredMasks = configuration.masks
    capture.masksEverything = !configuration.isSetUp
    applyMasks(at: moment)
    configuredControls = configuration.controls
    applyControls(at: moment)
    capture.recorder.funnels = configuration.funnels
    capture.recorder.covers = configuration.covers
  }

  private func logMissingGroups() {
    guard server != nil else { return }
    for (role, group) in access.missing {
      log.info(
        .daemon,
        "group \(group.printable()) does not exist, so only root and the daemon's user have the "
          + "role \(role.rawValue); create it, then reload the daemon"
      )
    }
  }

  // MARK: Calls

  private func answerOrRefuse(_ call: Call, _ answer: () throws(VarlinkError) -> Void) {
    do throws(VarlinkError) { try answer() } catch { send(EncodedReply(error), to: call.id) }
  }

  /// Sends an error to the callers of streams that no longer have a role for them, and forgets them.
  private func removeUnauthorisedWatchers() {
    func isRefused(_ method: String, _ call: CallID, _ peer: PeerCredentials) -> Bool {
      do throws(VarlinkError) { try access.check(method, by: peer) } catch {
        send(EncodedReply(error), to: call)
        return true
      }
      return false
    }
    watchers = watchers.filter { !isRefused(API.WatchTouches.name, $0.key, $0.value) }
    if watchers.isEmpty { capture.stopWatching() }
    activityWatchers = activityWatchers.filter {
      !isRefused(API.WatchActivity.name, $0.key, $0.value.peer)
    }
    coverWatchers = coverWatchers.filter {
      !isRefused(API.WatchCovers.name, $0.key, $0.value.peer)
    }
    guardSuspensions = guardSuspensions.filter {
      !isRefused(API.SuspendGuard.name, $0.key, $0.value)
    }
  }

  func send(_ reply: EncodedReply, to call: CallID) { server?.send(reply, to: call) }

  private func sendAnswers() {
    for answer in answers.takeAll() {
      pendingQueries[answer.call] = nil
      let queued = server?.queuedBytes ?? 0
      let hasRoom = answer.reportsChange || queued + answer.byteCount <= Self.queueLimit
      server?.send(hasRoom ? answer.replies : [EncodedReply(Self.tooBusy)], to: answer.call)
    }
  }

  /// Lets the query thread answer a call from the store.
  /// - Throws: `LimitReached` if too many queries or answers are waiting.
  func answerFromStore(
    _ call: Call, _ query: @escaping @Sendable (Store) throws(VarlinkError) -> [EncodedReply]
  ) throws(VarlinkError) {
    try answerOnQueryThread(call) { store throws(VarlinkError) in try query(Self.open(store)) }
  }

  /// Lets the query thread compose an answer that does not need the store but takes long to encode.
  /// - Throws: `LimitReached` if too many queries or answers are waiting.
  func compose(
    _ call: Call,
    _ body:
      @escaping @Sendable (_ checkCancellation: CancellationCheck) throws(VarlinkError) ->
      [EncodedReply]
  ) throws(VarlinkError) {
    try answerOnQueryThread(call) { store throws(VarlinkError) in
      let store = try? store.get()
      return try body { () throws(VarlinkError) in
        do throws(StoreError) { try store?.checkCancellation() } catch {
          throw API.StoreFailed(error).varlinkError
        }
      }
    }
  }

  /// Called repeatedly while an answer is made. Throws if no client waits for the answer any
  /// longer.
  typealias CancellationCheck = () throws(VarlinkError) -> Void

  private func answerOnQueryThread(
    _ call: Call,
    _ body: @escaping @Sendable (Result<Store, StoreError>) throws(VarlinkError) -> [EncodedReply]
  ) throws(VarlinkError) {
    let hasRoom = server?.queuedBytes ?? 0 <= Self.answersLimit
    guard hasRoom,
      let id = storage.enqueue({ [answers, id = call.id] store in
        let replies: [EncodedReply]
        do throws(VarlinkError) { replies = try body(store) } catch {
          replies = [EncodedReply(error)]
        }
        answers.add(Answers.Answer(call: id, replies: replies))
      })
    else { throw Self.tooBusy }
    pendingQueries[call.id] = id
  }

  /// Lets the storage delete sessions, and answers the call with `reply` afterwards.
  func forget(
    _ call: Call, _ what: ForgetSelection, below limit: Int64,
    _ reply: @escaping @Sendable (Result<Forgotten, StoreError>) -> EncodedReply
  ) throws(VarlinkError) {
    let isTaken = storage.forget(what, below: limit) { [answers, id = call.id] result in
      let isDone = (try? result.get()) != nil
      answers.add(Answers.Answer(call: id, replies: [reply(result)], reportsChange: isDone))
    }
    guard isTaken else {
      throw API.StoreFailed(message: "the daemon is stopping; try again when it has started")
        .varlinkError
    }
  }

  private static func open(_ store: Result<Store, StoreError>) throws(VarlinkError) -> Store {
    do throws(StoreError) { return try store.get() } catch {
      throw API.StoreFailed(error).varlinkError
    }
  }

  /// Cancels queries from clients that have disconnected.
  private func cancelAbandonedQueries(_ server: Server) {
    for (call, query) in pendingQueries where !server.isAwaited(call) {
      pendingQueries[call] = nil
      storage.giveUp(query)
      // The client gets no further reply, but the server keeps the connection until its call is
      // answered.
      server.send(EncodedReply(Self.tooBusy), to: call)
    }
  }

  private static let tooBusy = API.LimitReached(
    "questions", limit: 64, hint: "the disk is slow or many clients ask; try again later",
    words: "queries at once"
  ).varlinkError

  /// Counts a call that has a limit per minute.
  /// - Parameter what: the limited quantity, as in `LimitReached`.
  /// - Throws: `LimitReached` if the limit is exceeded.
  func spend(
    _ what: String, _ budget: inout CallRateLimit, at moment: Moment
  ) throws(VarlinkError) {
    guard !budget.spend(at: moment) else { return }
    throw API.LimitReached(what, limit: CallRateLimit.perMinute, hint: "try again later")
      .varlinkError
  }

  private func forget(_ connection: ConnectionID, at moment: Moment) {
    watchers = watchers.filter { $0.key.connection != connection }
    if watchers.isEmpty { capture.stopWatching() }
    activityWatchers = activityWatchers.filter { $0.key.connection != connection }
    coverWatchers = coverWatchers.filter { $0.key.connection != connection }
    guardSuspensions = guardSuspensions.filter { $0.key.connection != connection }
    end(pauses.end(connection), at: moment)
    capture.recorder.endSpans(of: ClientID(connection.token), at: moment)
    followers.remove(connection, at: moment.boottime)
    capture.release(ClientID(connection.token), at: moment)
  }
}
