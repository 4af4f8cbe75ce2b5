internal import Glibc
internal import LinuxIO
internal import Synchronization
internal import Text
internal import TouchModel

/// Writes log lines to standard error; each names the component concerned. Safe to use from any
/// thread.
public final class Log: Sendable {
  /// The component that a message is about.
  public enum Party: String, Sendable {
    case kernel, device, client, store
    /// The daemon itself.
    case daemon = "touchgridd"
  }

  /// Limits the rate at which messages of one kind are logged. Suppressed messages are counted.
  struct Budget: Sendable {
    /// The maximum number of messages of one kind in a window of `seconds` seconds.
    static let count = 5
    static let seconds: Int64 = 30

    /// The start of the current window, on `CLOCK_BOOTTIME`, in s.
    var windowStart: Int64
    var said = 0
    var heldBack = 0
  }

  private let threshold: Mutex<Configuration.Log.Level>
  /// Whether each line begins with `<N>`, from which the journal reads the priority.
  private let marksPriority: Bool
  private let budgets = Mutex<[String: Budget]>([:])

  public init(level: Configuration.Log.Level) {
    threshold = Mutex(level)
    marksPriority = Self.isJournal(STDERR_FILENO)
  }

  /// The verbosity. Less important messages are dropped.
  public var level: Configuration.Log.Level {
    get { threshold.withLock { $0 } }
    set { threshold.withLock { $0 = newValue } }
  }

  public func error(_ party: Party, _ message: String) { write(.error, party, message) }
  public func debug(_ party: Party, _ message: @autoclosure () -> String) {
    write(.debug, party, kind: nil, message)
  }

  /// - Parameter kind: messages of one kind share a `Budget`; nil: no limit.
  public func info(_ party: Party, kind: String? = nil, _ message: @autoclosure () -> String) {
    write(.info, party, kind: kind, message)
  }

  /// - Parameter kind: messages of one kind share a `Budget`; nil: no limit.
  public func warning(_ party: Party, kind: String? = nil, _ message: @autoclosure () -> String) {
    write(.warning, party, kind: kind, message)
  }

  private func write(
    _ level: Configuration.Log.Level, _ party: Party, kind: String?, _ message: () -> String
  ) {
    guard isSaid(level) else { return }
    guard let kind else { return write(level, party, message()) }
    let now = Clocks.boottime / 1_000_000
    let verdict = budgets.withLock { budgets in Self.spend(&budgets[kind], now: now) }
    guard verdict.mayBeSaid else { return }
    if verdict.heldBack > 0 {
      let similar = counted(
        verdict.heldBack, "similar message was", "similar messages were")
      write(level, party, "(\(similar) suppressed)")
    }
    write(level, party, message())
  }

  /// Counts one message against its budget.
  /// - Returns: whether to log the message and, if a new window begins with it, the number of
  ///   messages that were suppressed in the previous one.
  static func spend(
    _ budget: inout Budget?, now: Int64
  ) -> (mayBeSaid: Bool, heldBack: Int) {
    var current = budget ?? Budget(windowStart: now)
    defer { budget = current }
    var heldBack = 0
    if now - current.windowStart >= Budget.seconds {
      heldBack = current.heldBack
      current = Budget(windowStart: now)
    }
    guard current.said < Budget.count else {
      current.heldBack += 1
      return (false, 0)
    }
    current.said += 1
    return (true, heldBack)
  }

  /// Whether the descriptor is a stream to the journal. systemd sets `JOURNAL_STREAM` to the
  /// stream's device and inode numbers (systemd.exec(5)). A child inherits the variable even if its
  /// output goes elsewhere, so both numbers are compared with those of the descriptor.
  private static func isJournal(_ descriptor: Int32) -> Bool {
    guard let stream = unsafe getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    return unsafe String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }

  private func isSaid(_ level: Configuration.Log.Level) -> Bool {
    let levels = Configuration.Log.Level.allCases
    guard let own = levels.firstIndex(of: self.level), let its = levels.firstIndex(of: level)
    else { return false }
    return its <= own
  }

  private func write(_ level: Configuration.Log.Level, _ party: Party, _ message: String) {
    guard isSaid(level) else { return }
    let priority =
      switch level {
      case .error: 3
      case .warning: 4
      case .info: 6
      case .debug: 7
      }
    let text = message.printable(limit: 2000)
    let line = "\(marksPriority ? "<\(priority)>" : "")\(party.rawValue): \(text)\n"
    var bytes = Array(line.utf8)
    // A single write per line keeps lines of different threads from mixing. A failed write cannot
    // be reported anywhere.
    _ = unsafe Glibc.write(STDERR_FILENO, &bytes, bytes.count)
  }
}
