internal import Glibc
internal import LinuxIO
internal import TouchgridAPI

/// Forwards messages from the browser's extension to this user's follower, and orders of the
/// follower to the extension. It reconnects automatically.
public final class ExtensionRelay {
  /// The timeout, in µs, for connecting to a follower, and for a follower that does not read.
  private static let timeout: Int64 = 1_000_000
  /// The duration, in µs, from which a connection counts as a success, so that the delay between
  /// attempts is reset.
  private static let success: Int64 = 10_000_000

  private final class Connection {
    // Declared first, so that it is released before the descriptor is closed.
    var watch: Loop.Watch?
    let stream: UnixStream
    var orders = NativeMessages()
    var hasOrdered = false
    let since = Clocks.monotonic
    init(path: String) throws(SystemError) {
      stream = try UnixStream(connectingTo: path, within: ExtensionRelay.timeout)
    }
  }

  private let loop: Loop
  private let path: String
  private var input: NativeInput
  private var inputWatch: Loop.Watch?
  private var connection: Connection?
  private var delay = RetryDelay()
  private var timer: Loop.Timer?
  /// The last message about a page, which is sent to each newly connected follower.
  private var last: [UInt8]?
  private var buffer = [UInt8](repeating: 0, count: 4096)
  private let report: ServiceReport
  private var hasComplained = false

  /// Forwards messages until the browser ends.
  public static func run() throws(FollowFailure) {
    let report = ServiceReport(program: "touchgrid-follow")
    do throws(FollowFailure) {
      try ExtensionRelay(report).run()
    } catch {
      report.setStatus("\(error)")
      throw error
    }
  }

  private init(_ report: ServiceReport) throws(FollowFailure) {
    self.report = report
    path = try ExtensionSocket.path()
    input = try NativeInput()
    do throws(SystemError) { loop = try Loop() } catch { throw .system("\(error)") }
  }

  private func run() throws(FollowFailure) {
    // The browser may end while an order is written to it.
    signal(SIGPIPE, SIG_IGN)
    inputWatch = try input.watch(loop) { [unowned self] in read() }
    connect()
    do throws(SystemError) { try loop.run() } catch { throw .system("\(error)") }
  }

  private func read() {
    for var message in input.read() {
      if message.count > ExtensionMessage.limit { message = ExtensionMessage.nothingTold }
      if case .page = ExtensionMessage(message) { last = message }
      send(message)
    }
    if input.isOver { loop.end() }
  }

  private func connect() {
    timer = nil
    do throws(SystemError) {
      let connection = try Connection(path: path)
      guard ExtensionSocket.isOfThisUser(connection.stream.descriptor) else {
        throw SystemError(
          code: EPERM, context: "connecting to \(path), which belongs to another user")
      }
      connection.watch = try loop.watch(connection.stream.descriptor) { [unowned self] in
        readOrders()
      }
      self.connection = connection
      if let last { send(last) }
    } catch {
      if !hasComplained {
        report.warn(
          "no touchgrid-follow receives the extension's messages (\(error)): trying again; "
            + "'systemctl --user start touchgrid-follow' starts it")
      }
      hasComplained = true
      again()
    }
  }

  private func readOrders() {
    guard let connection else { return }
    switch try? connection.stream.receive(into: &buffer) {
    case .moved(let count)?:
      for order in connection.orders.append(buffer[..<count]) {
        connection.hasOrdered = true
        ChangePrinter.write(NativeMessages.framed(order))
      }
    case .wouldBlock?: return
    case .ended?, nil: connectionLost()
    }
  }

  private func connectionLost() {
    if connection?.hasOrdered == true {
      ChangePrinter.write(ExtensionOrder.controls(false).framed)
    }
    if let connection, Clocks.monotonic - connection.since > Self.success {
      delay.reset()
      hasComplained = false
    }
    connection = nil
    again()
  }

  private func again() {
    timer = loop.after(milliseconds: delay.next()) { [unowned self] in connect() }
  }

  private func send(_ message: [UInt8]) {
    guard let connection else { return }
    var rest = NativeMessages.framed(message)[...]
    while !rest.isEmpty {
      switch try? connection.stream.send(rest) {
      case .moved(let count)?: rest = rest.dropFirst(count)
      case .wouldBlock?:
        guard (try? connection.stream.wait(forOutput: true, within: Self.timeout)) == true else {
          return connectionLost()
        }
      case .ended?, nil: return connectionLost()
      }
    }
  }
}
