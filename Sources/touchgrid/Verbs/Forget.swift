import ArgumentParser
import Glibc
import GridFormats
import LinuxIO
import Storage
import TouchModel
import TouchgridAPI

struct Forget: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Removes sessions as if they had never been. Root only.",
    discussion: """
      They go from the store, with their share of the sums of their days, and what they were is erased in \
      its files; heatmaps, reports and exports made before are not. Of a time between --since and \
      --until the sessions go that began in it; one that runs is discarded. Of a day that has lost \
      sessions to keep_sessions or max_size only all or single sessions can be forgotten. Nothing \
      brings them back: on a terminal it asks first.
      """)

  @OptionGroup var time: SpanOptions

  @Option(help: ArgumentHelp("This session alone.", valueName: "number"))
  var session: Int64?

  @Flag(help: "All sessions there ever were.")
  var all = false

  @Flag(help: "Do not ask.")
  var yes = false

  @Flag(help: "Only say what would be forgotten.")
  var dryRun = false

  @OptionGroup var socket: SocketOption

  @Option(
    help: ArgumentHelp(
      "Forget in this store's file, which no daemon may be using.", valueName: "file"),
    completion: .file())
  var store: String?

  @Flag(help: "JSON: the reply of Forget in io.touchgrid.")
  var json = false

  func validate() throws {
    let hasSpan = time.since != nil || time.until != nil
    switch [hasSpan, session != nil, all].count(where: \.self) {
    case 1: break
    case 0:
      throw ValidationError(
        "Say what to forget: --since and --until, --session NUMBER, or --all of it.")
    default: throw ValidationError("--since and --until, --session and --all exclude each other.")
    }
    if socket.socket != nil, store != nil {
      throw ValidationError("--store opens a file and --socket asks a daemon; give one of them.")
    }
  }

  func run() throws {
    // Once: "7d" must not mean another time after the question.
    let what: Forgetting = session.map { .session($0) } ?? .span(time.span)
    let place = try Place(socket, store: store)
    let found = try Progress.during("forget") { try place.count(what) }
    if dryRun { return try tell(found, "would forget") }
    if !yes, found.sessions > 0 {
      guard try Self.agrees("forget \(found.words)? They cannot be brought back.") else {
        throw Failure("nothing was forgotten")
      }
    }
    let forgotten = try Progress.during("forget") { try place.forget(what) }
    try tell(forgotten, "forgot")
  }

  private func tell(_ reply: API.Forget.Reply, _ verb: String) throws {
    if json { return try writeJSON(reply) }
    try writeLines([
      reply.sessions == 0 ? "there was no session to forget" : "\(verb) \(reply.words)"
    ])
  }

  /// Asks at the terminal.
  private static func agrees(_ question: String) throws(Failure) -> Bool {
    guard isatty(STDIN_FILENO) == 1 else {
      throw Failure(
        "nothing was forgotten: there is no terminal to ask at; --yes goes without asking")
    }
    try write(Array("\(question) [y/N] ".utf8), to: STDERR_FILENO, name: "standard error")
    return ["y", "yes"].contains((readLine() ?? "").lowercased())
  }
}

extension Forget {
  /// Where the sessions are.
  enum Place {
    case daemon(DaemonConnection)
    case file(String)

    init(_ socket: SocketOption, store: String?) throws {
      if let store {
        self = .file(store)
      } else if let daemon = try socket.connectIfThere() {
        self = .daemon(daemon)
      } else {
        // Connects once more, to say what is wrong.
        do throws(Failure) { self = .daemon(try socket.connect()) } catch {
          throw Failure(
            "\(error); --store \(PastOptions.standardStore) forgets in the file without a daemon")
        }
      }
    }

    /// What would be forgotten.
    func count(_ what: Forgetting) throws -> API.Forget.Reply {
      let past: Past =
        switch self {
        case .daemon(let daemon): .daemon(daemon)
        case .file(let path): .file(try Store(reading: path))
        }
      switch what {
      case .span(let span):
        let days = try past.days(in: span).filter { $0.sessions > 0 }
        return API.Forget.Reply(
          sessions: days.reduce(0) { $0 + $1.sessions },
          touches: days.reduce(0) { $0 + ($1.totals?.begun ?? 0) }, days: Int64(days.count))
      case .session(let id):
        guard let session = try past.sessions(in: .always).first(where: { $0.record.id == id })
        else { throw Self.noSession(id) }
        return API.Forget.Reply(
          sessions: 1, touches: Int64(clamping: session.record.totals.begun), days: 1)
      }
    }

    func forget(_ what: Forgetting) throws -> API.Forget.Reply {
      switch self {
      case .daemon(let daemon):
        // However long it takes.
        try daemon.start(API.Forget(what))
        guard let (reply, _) = try daemon.receive(API.Forget.self, within: nil) else {
          throw Failure("the daemon did not answer")
        }
        return reply
      case .file(let path):
        let lock = try Self.lock(path)
        defer { withExtendedLifetime(lock) {} }
        let forgotten = try Store(path: path).forget(what)
        if case .session(let id) = what, forgotten.sessions == 0 { throw Self.noSession(id) }
        return API.Forget.Reply(
          sessions: Int64(clamping: forgotten.sessions),
          touches: Int64(clamping: forgotten.touches), days: Int64(clamping: forgotten.days))
      }
    }

    private static func noSession(_ id: Int64) -> Failure {
      Failure("there is no session \(id); 'touchgrid sessions' lists them")
    }

    private static func lock(_ path: String) throws(Failure) -> LockedFile {
      do throws(SystemError) { return LockedFile(lock: try FileLock(path)) } catch {
        guard error.code == EWOULDBLOCK else { throw Failure("\(error)") }
        throw Failure(
          "a daemon uses \(path.printable(limit: 4096)): leave --store out, and it forgets by itself"
        )
      }
    }
  }

  /// What one process alone may write in.
  private final class LockedFile {
    let lock: FileLock
    init(lock: consuming FileLock) { self.lock = lock }
  }
}

extension API.Forget.Reply {
  /// `132 sessions of 3 days, 4,211 touches`.
  fileprivate var words: String {
    func counted(_ count: Int64, _ one: String, _ many: String) -> String {
      "\(groupedDigits(UInt64(clamping: count))) \(count == 1 ? one : many)"
    }
    return counted(sessions, "session", "sessions") + " of " + counted(days, "day", "days") + ", "
      + counted(touches, "touch", "touches")
  }
}

extension API.Forget {
  fileprivate init(_ what: Forgetting) {
    switch what {
    case .span(let span): self.init(span: API.Span(since: span.since, until: span.until))
    case .session(let id): self.init(session: id)
    }
  }
}
