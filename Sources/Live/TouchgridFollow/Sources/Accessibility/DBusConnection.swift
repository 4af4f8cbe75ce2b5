internal import Glibc
internal import LinuxIO
internal import Text

/// A connection to a message bus of D-Bus. It never waits: all results come from the event loop.
final class DBusConnection {
  /// The maximum number of calls that wait for a reply. Further calls are sent later, so that the
  /// bus and the called program are not flooded.
  private static let callLimit = 64
  /// The maximum number of bytes to read at once, so that a program that sends constantly leaves
  /// time for everything else.
  private static let readLimit = 1 << 18

  private struct Call {
    var bytes: (UInt32) -> [UInt8]
    /// Takes the reply; nil if the call failed.
    var body: (DBusMessage?) -> Void
  }

  private let loop: Loop
  private let stream: UnixStream
  private let signal: (DBusMessage) -> Void
  private let ended: () -> Void
  private var watch: Loop.Watch?
  private var retry: Loop.Timer?
  private var received: ArraySlice<UInt8> = []
  private var outgoing: ArraySlice<UInt8> = []
  private var isAuthenticated = false
  private var isOver = false
  private var lastSerial: UInt32 = 0
  private var waiting: [UInt32: (DBusMessage?) -> Void] = [:]
  private var queue: [Call] = []
  private var nextInQueue = 0

  /// Connects to a bus.
  /// - Parameters:
  ///   - address: Such as "unix:path=/run/user/1000/bus"; the first address that is a Unix socket is
  ///     used.
  ///   - signal: Takes each signal.
  ///   - ended: Called once when the connection is lost.
  init(
    loop: Loop, address: String, signal: @escaping (DBusMessage) -> Void,
    ended: @escaping () -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.signal = signal
    self.ended = ended
    stream = try Self.connect(address)
    watch = try loop.watch(stream.descriptor) { [unowned self] in read() }
    let user = "\(geteuid())".utf8.map { String($0, radix: 16) }.joined()
    send([0] + Array("AUTH EXTERNAL \(user)\r\n".utf8))
    call(
      "Hello", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", on: "org.freedesktop.DBus")
  }

  private static func connect(_ address: String) throws(SystemError) -> UnixStream {
    for one in address.split(separator: ";") where one.hasPrefix("unix:") {
      for part in one.dropFirst(5).split(separator: ",") {
        let words = part.split(separator: "=", maxSplits: 1).map(String.init)
        guard words.count == 2, let value = unescaped(words[1]) else { continue }
        if words[0] == "path" { return try UnixStream(connectingTo: value, within: 20_000) }
        if words[0] == "abstract" {
          return try UnixStream(connectingToAbstract: value, within: 20_000)
        }
      }
    }
    throw SystemError(code: EAFNOSUPPORT, context: "connecting to \(address)")
  }

  /// Replaces `%2f` and the like in the value of an address.
  static func unescaped(_ value: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(value.utf8)[...]
    while let next = rest.popFirst() {
      guard next == UInt8(ascii: "%") else {
        bytes.append(next)
        continue
      }
      guard rest.count >= 2,
        let byte = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Calls a method.
  /// - Parameter body: Takes the reply; nil if the call failed. It is not called if the connection is
  ///   lost or `forgetCalls` was called before.
  func call(
    _ member: String, of interface: String, at path: String, on destination: String,
    _ arguments: [DBusMessage.Argument] = [], _ body: @escaping (DBusMessage?) -> Void = { _ in }
  ) {
    let bytes = { serial in
      DBusMessage.call(
        member, of: interface, at: path, on: destination, arguments, serial: serial)
    }
    queue.append(Call(bytes: bytes, body: body))
    sendCalls()
  }

  /// Ignores the replies to all calls so far, if these could be sent.
  func forgetCalls() {
    guard isAuthenticated else { return }
    waiting = [:]
    queue = []
    nextInQueue = 0
  }

  private func sendCalls() {
    guard isAuthenticated, !isOver else { return }
    while nextInQueue < queue.count, waiting.count < Self.callLimit {
      let call = queue[nextInQueue]
      nextInQueue += 1
      lastSerial = lastSerial == .max ? 1 : lastSerial + 1
      waiting[lastSerial] = call.body
      send(call.bytes(lastSerial))
    }
    if nextInQueue == queue.count {
      queue = []
      nextInQueue = 0
    }
  }

  private func send(_ bytes: [UInt8]) {
    outgoing += bytes
    flush()
  }

  private func flush() {
    retry = nil
    while !isOver, !outgoing.isEmpty {
      guard let outcome = try? stream.send(outgoing) else { return end() }
      switch outcome {
      case .moved(let count): outgoing = outgoing.dropFirst(count)
      case .wouldBlock:
        retry = loop.after(milliseconds: 10) { [unowned self] in flush() }
        return
      case .ended: return end()
      }
    }
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var total = 0
    while !isOver, total < Self.readLimit {
      guard let outcome = try? stream.receive(into: &buffer) else { return end() }
      switch outcome {
      case .moved(let count):
        received += buffer[..<count]
        total += count
        handleReceived()
      case .wouldBlock: return
      case .ended: return end()
      }
    }
  }

  private func handleReceived() {
    if !isAuthenticated {
      guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else {
        return received.count > 1024 ? self.end() : ()
      }
      guard received.starts(with: "OK ".utf8) else { return self.end() }
      received = received[received.index(after: end)...]
      isAuthenticated = true
      send(Array("BEGIN\r\n".utf8))
      sendCalls()
    }
    while !isOver {
      do throws(DBusMessage.Malformed) {
        guard let message = try DBusMessage.takeFirst(&received) else { break }
        handle(message)
      } catch {
        return end()
      }
    }
    // A slice keeps the bytes that were dropped from it.
    received = Array(received)[...]
    sendCalls()
  }

  private func handle(_ message: DBusMessage) {
    switch message.kind {
    case .reply, .error:
      guard let serial = message.answers, let body = waiting.removeValue(forKey: serial) else {
        return
      }
      body(message.kind == .reply ? message : nil)
    case .signal: signal(message)
    case .call: break
    }
  }

  private func end() {
    guard !isOver else { return }
    isOver = true
    watch = nil
    retry = nil
    forgetCalls()
    ended()
  }
}
