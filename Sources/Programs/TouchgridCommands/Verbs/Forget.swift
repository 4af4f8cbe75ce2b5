import ArgumentParser
import Glibc
import Heatmaps
import LinuxIO
import Storage
import Text
import TouchModel
import TouchgridAPI

struct Forget: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Deletes sessions and erases their data. Needs sudo.",
    discussion: """
      Deletes the sessions from the store, with their share of the sums of days and months, and \
      rewrites its files, so that no data remains. This needs free space for two more copies of \
      the store. Earlier heatmaps, reports, exports and copies of the store stay as they are; \
      copies beside the store are listed. Only root and the user that the daemon runs as may \
      forget; with --store, whoever may write the store.

      --since and --until select the sessions that began between them. A running session among \
      them is discarded. If keep_sessions or max_size has deleted sessions of a day, only the \
      whole day, or single sessions that are left, can be forgotten. Forgotten sessions cannot be \
      restored: on a terminal the command asks first.
      """)

  @OptionGroup var time: SpanOptions

  @Option(help: ArgumentHelp("Only this session.", valueName: "number"), transform: readSession)
  var session: [Int64] = []

  @Flag(help: "Everything in the store: all sessions, and the sums of all days.")
  var all = false

  @Flag(help: "Do not ask for confirmation.")
  var yes = false

  @Flag(help: "Only print what would be forgotten.")
  var dryRun = false

  @OptionGroup var socket: SocketOption

  @Option(
    help: ArgumentHelp(
      "Forget in this store, without the daemon; no daemon may be using it.", valueName: "file"),
    completion: .file())
  var store: String?

  @Flag(
    help:
      "The same data as JSON, in the form of the daemon's reply (Forget of the interface io.touchgrid)."
  )
  var json = false

  func validate() throws {
    let hasSpan = time.since != nil || time.until != nil
    switch [hasSpan, !session.isEmpty, all].count(where: \.self) {
    case 1: break
    case 0:
      throw ValidationError(
        "Give a span (--since, --until or both), --session NUMBER, or --all.")
    default:
      throw ValidationError(
        "A span (--since, --until), --session and --all cannot be combined: give one of them.")
    }
    guard session.count <= 1 else {
      throw ValidationError("Only one session can be forgotten at a time: give --session once.")
    }
    if socket.socket != nil, store != nil {
      throw ValidationError("--store cannot be combined with --socket.")
    }
  }

  func run() throws {
    // Compute the span once, so that "7d" means the same before and after the question.
    let what: ForgetSelection = session.first.map { .session($0) } ?? .span(time.span)
    let place = try Place(socket, store: store)
    let found = try count(what, in: place)
    if dryRun { return try printResult(found.reply, "would forget", found.words) }
    if !yes, found.reply.sessions > 0 {
      guard try Self.agrees("forget \(found.words)? This cannot be undone.") else {
        throw Failure("nothing was forgotten")
      }
    }
    let forgotten = try Self.addingSessionAdvice {
      try Progress.during("forget") { try place.forget(what) }
    }
    try printResult(forgotten, "forgot", forgotten.words)
    let copies = place.copies
    if !copies.isEmpty {
      writeError(
        (["older copies of the store remain; delete them if you do not need them:"] + copies)
          .joined(separator: "\n  "))
    }
    if let reason = forgotten.notErased {
      throw Failure(
        """
        some data of the forgotten sessions is still in free pages of the store's files: \
        \(reason.printable(limit: 1000)) \(Forgotten.notErasedAdvice)
        """)
    }
  }

  private func count(_ what: ForgetSelection, in place: Place) throws -> Place.Found {
    do {
      return try Self.addingSessionAdvice {
        try Progress.during("forget") { try place.count(what) }
      }
    } catch let error where !dryRun && (error is Failure || error is StoreError) {
      // If the user lacks the role `read`, which this call needs, name the role `owner` instead,
      // which is needed to delete sessions.
      let isStranger = (error as? Failure)?.fault is API.NotPermitted
      let words = isStranger ? API.NotPermitted(.owner, group: nil).message : "\(error)"
      var failure = Failure("nothing was forgotten: \(words)")
      if let error = error as? StoreError { failure.exitStatus = error.exitStatus }
      throw failure
    }
  }

  private static func addingSessionAdvice<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      guard error.isOnlyWholeDays else { throw error }
      throw Failure("\(error) You can also forget single sessions with --session NUMBER.")
    }
  }

  private func printResult(_ reply: API.Forget.Reply, _ verb: String, _ words: String) throws {
    if json { return try writeJSON(reply) }
    try writeLines([reply.sessions == 0 ? "there is no session to forget" : "\(verb) \(words)"])
  }

  /// Asks the user at the terminal.
  private static func agrees(_ question: String) throws(Failure) -> Bool {
    guard isatty(STDIN_FILENO) == 1 else {
      throw Failure(
        "nothing was forgotten: there is no terminal to confirm at; use --yes")
    }
    try write(Array("\(question) [y/N] ".utf8), to: STDERR_FILENO, name: "standard error")
    return ["y", "yes"].contains((readLine() ?? "").lowercased())
  }
}

extension Forget {
  /// The store or the daemon that has the sessions.
  enum Place {
    case daemon(DaemonConnection)
    case file(String)

    init(_ socket: SocketOption, store: String?) throws {
      if let store {
        try ProcessIdentity.becomeOwner(ofStore: store)
        Store.putTemporaryFiles(beside: store)
        self = .file(store)
      } else if let daemon = try socket.connectIfThere() {
        self = .daemon(daemon)
      } else {
        // Connect again for an error with the reason.
        do throws(Failure) { self = .daemon(try socket.connect()) } catch {
          throw Failure(
            "\(error); --store \(StoredDataOptions.standardStore) forgets without the daemon")
        }
      }
    }

    /// The sessions to be deleted.
    struct Found {
      var reply: API.Forget.Reply
      var knowsTouches = true

      var words: String { reply.words(touches: knowsTouches) }
    }

    func count(_ what: ForgetSelection) throws -> Found {
      let past: Past =
        switch self {
        case .daemon(let daemon): .daemon(daemon)
        case .file(let path): .file(try Store(reading: path))
        }
      switch what {
      case .span(let span):
        let days = try past.days(in: span).filter { $0.sessions > 0 }
        return Found(
          reply: API.Forget.Reply(
            sessions: Self.sum(days.map(\.sessions)),
            touches: Self.sum(days.compactMap(\.totals?.begun)), days: Int64(days.count)),
          knowsTouches: days.allSatisfy { $0.totals != nil })
      case .session(let id):
        guard let touches = try Self.touches(of: id, past) else { throw Self.noSession(id) }
        return Found(reply: API.Forget.Reply(sessions: 1, touches: touches, days: 1))
      }
    }

    /// Returns the sum, at most `Int64.max`: a damaged store may have larger numbers.
    private static func sum(_ counts: [Int64]) -> Int64 {
      counts.reduce(0) { sum, count in
        let (more, overflows) = sum.addingReportingOverflow(count)
        return overflows ? .max : more
      }
    }

    /// Returns the number of touches in a session.
    /// - Returns: nil if there is no such session.
    private static func touches(of id: Int64, _ past: Past) throws -> Int64? {
      switch past {
      case .file(let store):
        // Read only the session's head, because its grids may be damaged.
        return try store.sessions(in: .always).first { $0.record.id == id }
          .map { Int64(clamping: $0.record.totals.begun) }
      case .daemon(let daemon):
        var touches: Int64?
        try daemon.start(API.ListSessions())
        while let (reply, continues) = try daemon.receive(API.ListSessions.self, within: nil) {
          touches = touches ?? reply.sessions.first { $0.id == id }?.totals.begun
          if !continues { break }
        }
        return touches
      }
    }

    /// The files beside the store that may contain copies of its data; empty if the path of the
    /// daemon's store is unknown.
    var copies: [String] {
      let path: String
      switch self {
      case .daemon(let daemon):
        guard let status = try? daemon.call(API.GetStatus()) else { return [] }
        path = status.store.path
      case .file(let file): path = file
      }
      return Store.copies(of: path).map { $0.printable(limit: 4096) }
    }

    func forget(_ what: ForgetSelection) throws -> API.Forget.Reply {
      switch self {
      case .daemon(let daemon):
        // Wait without a time limit: deleting and erasing may take long.
        try daemon.start(API.Forget(what))
        guard let (reply, _) = try daemon.receive(API.Forget.self, within: nil) else {
          throw Failure(
            "the daemon did not answer; 'sudo journalctl -u touchgridd' may show the reason")
        }
        return reply
      case .file(let path):
        let lock = try Self.lock(path)
        defer { withExtendedLifetime(lock) {} }
        let forgotten = try Store(path: path).forget(what)
        if case .session(let id) = what, forgotten.sessions == 0 { throw Self.noSession(id) }
        return API.Forget.Reply(
          sessions: Int64(clamping: forgotten.sessions),
          touches: Int64(clamping: forgotten.touches), days: Int64(clamping: forgotten.days),
          notErased: forgotten.notErased.map { "\($0.fact)." })
      }
    }

    private static func noSession(_ id: Int64) -> Failure {
      Failure(
        "there is no session \(id); 'touchgrid sessions', with --store if you gave it, lists all "
          + "sessions")
    }

    private static func lock(_ path: String) throws(Failure) -> LockedFile {
      do throws(SystemError) { return LockedFile(lock: try FileLock(path)) } catch {
        guard error.code == EWOULDBLOCK else { throw Failure("\(error)") }
        throw Failure(
          "a daemon, or another command, uses \(path.printable(limit: 4096)): leave --store out, "
            + "so that the daemon forgets, or wait for the command"
        )
      }
    }
  }

  /// A lock on the file of the store, which is held until this object is released.
  private final class LockedFile {
    let lock: FileLock
    init(lock: consuming FileLock) { self.lock = lock }
  }
}

extension API.Forget.Reply {
  /// The numbers as text, such as `132 sessions of 3 days, 4,211 touches`.
  fileprivate var words: String { words(touches: true) }

  fileprivate func words(touches knowsTouches: Bool) -> String {
    counted(sessions, "session", groupsDigits: true) + " of "
      + counted(days, "day", groupsDigits: true)
      + (knowsTouches ? ", " + counted(touches, "touch", "touches", groupsDigits: true) : "")
  }
}

extension API.Forget {
  fileprivate init(_ what: ForgetSelection) {
    switch what {
    case .span(let span): self.init(span: API.Span(since: span.since, until: span.until))
    case .session(let id): self.init(session: id)
    }
  }
}
