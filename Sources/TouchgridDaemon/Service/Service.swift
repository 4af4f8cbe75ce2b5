internal import LinuxIO
internal import Storage
internal import TouchModel
internal import TouchgridAPI
internal import Varlink

/// Answers the clients: the methods of io.touchgrid, on the thread that reads the devices. It waits for nobody;
/// questions about the past go to a thread of the storage.
final class Service {
  /// Tokens of the listener and the clients.
  static let firstToken: UInt64 = 1 << 62

  let capture: Capture
  let storage: StorageSink
  let devices: any DeviceList
  let log: Log
  let started = Moment.now
  /// Who may call what.
  var access: Access { didSet { server?.policy = access } }
  var pauses = Pauses()
  var followers = Followers()
  var begun = CallBudget()
  var turns = CallBudget()
  /// Calls of `WatchTouches`, and who made them.
  var watchers: [CallID: PeerCredentials] = [:]
  /// Questions that the storage is yet to answer, by their calls.
  var asked: [CallID: QuestionID] = [:]
  /// Names that were given after the round had begun: what was touched until then is read first.
  private var early: [Call] = []
  /// What the watchers know of the displays and the masks.
  var layout: [API.Display] = []
  var toldMasks: [API.Mask] = []
  /// Of the recorder, when these were last looked at.
  var layoutRevision = 0
  /// Masks of the configuration, and those that clients have added.
  var configuredMasks: [Mask]
  var addedMasks: [Mask] = []

  /// Bytes of answers that may wait to be read before no further question is taken.
  private static let answersLimit = 32 << 20
  /// Bytes that may wait to be read with an answer that has been made: the longest, and something beside it.
  private static let queueLimit = ReplyList.answerLimit + (8 << 20)

  let server: Server?
  /// There was no client, and nothing to do, when it was last looked: frames go by without a look.
  private var isAlone = false
  private let answers: Answers

  /// - Parameter listener: nil: there are no clients.
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
    // Always: what is replayed lies in the past.
    applyMasks(at: nil)
    tellMissingGroups()
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

  /// Serves what is ready, and does what is due.
  func serve(_ ready: [Poller.Ready], poller: inout Poller, at moment: Moment) {
    guard let server, !(isAlone && ready.isEmpty) else { return }
    for event in ready {
      if event.token == EventLoop.Token.answers {
        takeAnswers()
      } else {
        server.handle(event, poller: &poller)
      }
    }
    giveUpQuestions(server)
    endDuePauses(at: moment)
    let early = early
    self.early = []
    for call in early { answerOrRefuse(call, at: moment) }
    dispatch(server, poller: &poller, at: moment)
    // Whoever has just said what is shown is asked first.
    forgetDueFollowers(at: moment)
    // What the calls have brought about, for those who watch.
    if publish(at: moment) { server.flush(poller: &poller) }
    isAlone =
      server.isAlone && asked.isEmpty && early.isEmpty
      && followers.nextDeadline == nil
  }

  private func dispatch(_ server: Server, poller: inout Poller, at moment: Moment) {
    server.serve(poller: &poller, at: moment.boottime.microseconds) { event in
      switch event {
      case .call(let call): take(call, at: moment)
      case .closed(let connection): forget(connection, at: moment)
      }
    }
  }

  /// When `serve` has something to do, on `CLOCK_BOOTTIME`.
  var nextDeadline: Timestamp? {
    guard let server, !isAlone else { return nil }
    if server.hasWork || hasNews || !early.isEmpty { return .zero }
    let own = Timestamp.first(pauses.nextDeadline, followers.nextDeadline)
    return .first(
      .first(server.nextDeadline.map(Timestamp.init(microseconds:)), own),
      capture.feed?.nextDeadline)
  }

  func stop(poller: inout Poller) { server?.stop(poller: &poller) }

  /// Takes over a new configuration.
  func apply(_ configuration: Configuration, at moment: Moment) {
    access = Access(configuration.roles)
    tellMissingGroups()
    sendAwayWatchers()
    _ = publish(at: moment)
    configuredMasks = configuration.masks
    applyMasks(at: moment)
  }

  private func tellMissingGroups() {
    guard server != nil else { return }
    for (role, group) in access.missing {
      log.info(
        .daemon,
        "there is no group \(group.printable()): only root and this user have the role \(role.rawValue)"
      )
    }
  }

  // MARK: Calls

  private func take(_ call: Call, at moment: Moment) {
    if isEarly(call, at: moment) { return early.append(call) }
    answerOrRefuse(call, at: moment)
  }

  private func answerOrRefuse(_ call: Call, at moment: Moment) {
    do throws(VarlinkError) { try answer(call, at: moment) } catch {
      send(EncodedReply(error), to: call.id)
    }
  }

  /// Answers a method whose answer is known at once.
  func handle<M: TouchgridAPI.Method>(
    _ method: M.Type, _ call: Call, body: (M) throws(VarlinkError) -> M.Reply
  ) throws(VarlinkError) {
    send(EncodedReply(try body(try call.parameters(M.self))), to: call.id)
  }

  func send(_ reply: EncodedReply, to call: CallID) { server?.send(reply, to: call) }

  private func takeAnswers() {
    for answer in answers.take() {
      asked[answer.call] = nil
      let queued = server?.queuedBytes ?? 0
      let hasRoom = answer.tellsOfChange || queued + answer.byteCount <= Self.queueLimit
      server?.send(hasRoom ? answer.replies : [EncodedReply(Self.tooBusy)], to: answer.call)
    }
  }

  /// Has the storage make an answer from the store.
  func ask(
    _ call: Call, _ question: @escaping @Sendable (Store) throws(VarlinkError) -> [EncodedReply]
  ) throws(VarlinkError) {
    try answerElsewhere(call) { store throws(VarlinkError) in try question(Self.open(store)) }
  }

  /// Has an answer made on the same thread that needs no store, and takes long to write down.
  func compose(
    _ call: Call,
    _ body: @escaping @Sendable (_ goOn: GoingOn) throws(VarlinkError) -> [EncodedReply]
  ) throws(VarlinkError) {
    try answerElsewhere(call) { store throws(VarlinkError) in
      let store = try? store.get()
      return try body { () throws(VarlinkError) in
        do throws(StoreError) { try store?.goOn() } catch {
          throw API.StoreFailed("\(error)").varlinkError
        }
      }
    }
  }

  /// To be called now and then while an answer is made: throws where nobody waits for it any more.
  typealias GoingOn = () throws(VarlinkError) -> Void

  private func answerElsewhere(
    _ call: Call,
    _ body: @escaping @Sendable (Result<Store, StoreError>) throws(VarlinkError) -> [EncodedReply]
  ) throws(VarlinkError) {
    let hasRoom = server?.queuedBytes ?? 0 <= Self.answersLimit
    guard hasRoom,
      let id = storage.ask({ [answers, id = call.id] store in
        let replies: [EncodedReply]
        do throws(VarlinkError) { replies = try body(store) } catch {
          replies = [EncodedReply(error)]
        }
        answers.add(Answers.Answer(call: id, replies: replies))
      })
    else { throw Self.tooBusy }
    asked[call.id] = id
  }

  /// Has the storage forget.
  func forget(
    _ call: Call, _ what: Forgetting, below limit: Int64,
    _ reply: @escaping @Sendable (Result<Forgotten, StoreError>) -> EncodedReply
  ) throws(VarlinkError) {
    let isTaken = storage.forget(what, below: limit) { [answers, id = call.id] result in
      let isDone = (try? result.get()) != nil
      answers.add(Answers.Answer(call: id, replies: [reply(result)], tellsOfChange: isDone))
    }
    guard isTaken else { throw API.StoreFailed("the daemon is stopping").varlinkError }
  }

  private static func open(_ store: Result<Store, StoreError>) throws(VarlinkError) -> Store {
    do throws(StoreError) { return try store.get() } catch {
      throw API.StoreFailed("\(error)").varlinkError
    }
  }

  /// Nobody need wait for answers to clients that have gone.
  private func giveUpQuestions(_ server: Server) {
    for (call, question) in asked where !server.isAwaited(call) {
      asked[call] = nil
      storage.giveUp(question)
      // The connection is kept until its call is answered.
      server.send(EncodedReply(Self.tooBusy), to: call)
    }
  }

  private static let tooBusy = API.LimitReached(
    "questions", limit: 64, hint: "the disk is slow or many clients ask; try again later"
  ).varlinkError

  /// - Parameter what: as in `LimitReached`.
  func spend(
    _ what: String, _ budget: inout CallBudget, at moment: Moment
  ) throws(VarlinkError) {
    guard !budget.spend(at: moment) else { return }
    throw API.LimitReached(what, limit: CallBudget.perMinute, hint: "try again later").varlinkError
  }

  private func forget(_ connection: ConnectionID, at moment: Moment) {
    watchers = watchers.filter { $0.key.connection != connection }
    if watchers.isEmpty { capture.stopWatching() }
    end(pauses.end(connection), at: moment)
    followers.remove(connection, at: moment.boottime)
  }
}
