internal import CSDBus
internal import Glibc
internal import LinuxIO
internal import NIOCore

/// A connection to a message bus of D-Bus, with sd-bus. It never blocks: all results arrive through
/// the event loop. No closure is called from within sd-bus, so closures may release the connection.
@safe final class DBusConnection {
  /// The argument of a call.
  enum Argument {
    case text(String)
    case number(UInt32)
    /// An empty array of texts.
    case noTexts
  }

  private struct Call {
    var member: String
    var interface: String
    var path: String
    var destination: String
    var arguments: [Argument]
    var body: (DBusMessage?) -> Void
  }

  /// A call without a reply yet. When it is released, sd-bus ignores the reply.
  @safe private final class SentCall {
    unowned let connection: DBusConnection
    let body: (DBusMessage?) -> Void
    var slot: OpaquePointer?

    init(_ connection: DBusConnection, _ body: @escaping (DBusMessage?) -> Void) {
      self.connection = connection
      self.body = body
    }

    deinit { unsafe sd_bus_slot_unref(slot) }
  }

  /// The maximum number of calls without a reply. Further calls are sent later, so that the bus and
  /// the called program are not flooded.
  private static let callLimit = 64

  private let loop: Loop
  private let bus: OpaquePointer
  private let signal: (DBusMessage) -> Void
  private let ended: () -> Void
  private var watch: Loop.Watch?
  private var timer: Loop.Timer?
  private var failure: Loop.Timer?
  /// Whether sd-bus may have work although its socket is not ready.
  private var isBusy = true
  private var isOver = false
  private var sent: [ObjectIdentifier: SentCall] = [:]
  private var queue = CircularBuffer<Call>()
  /// The handler of the message that sd-bus has just processed.
  private var delivery: (() -> Void)?

  /// Connects to a bus.
  /// - Parameters:
  ///   - address: Such as "unix:path=/run/user/1000/bus". Only addresses of Unix sockets are used:
  ///     others would start a program, or wait for a resolver.
  ///   - signal: Called with each signal that `subscribe` requested.
  ///   - ended: Called once when the connection is lost.
  init(
    loop: Loop, address: String, signal: @escaping (DBusMessage) -> Void,
    ended: @escaping () -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.signal = signal
    self.ended = ended
    unsafe bus = try Self.connect(address)
    watch = try loop.watch(unsafe sd_bus_get_fd(bus)) { [unowned self] in process() }
    arm()
  }

  /// Drop unsent messages, because sending them might block for any time.
  deinit {
    sent = [:]
    watch = nil
    unsafe sd_bus_close_unref(bus)
  }

  private static func connect(_ address: String) throws(SystemError) -> OpaquePointer {
    let sockets = address.split(separator: ";").filter { $0.hasPrefix("unix:") }
    let context = "connecting to \(address)"
    var new: OpaquePointer?
    var result = unsafe sd_bus_new(&new)
    guard result >= 0, let bus = unsafe new else {
      throw SystemError(code: -result, context: context)
    }
    result = sockets.isEmpty ? -EAFNOSUPPORT : 0
    if result >= 0 { result = unsafe sd_bus_set_address(bus, sockets.joined(separator: ";")) }
    if result >= 0 { result = unsafe sd_bus_set_bus_client(bus, 1) }
    // Accept no file descriptors: the bus then forwards no messages that contain any.
    if result >= 0 { result = unsafe sd_bus_negotiate_fds(bus, 0) }
    if result >= 0 { result = unsafe sd_bus_start(bus) }
    guard result >= 0 else {
      unsafe sd_bus_close_unref(bus)
      throw SystemError(code: -result, context: context)
    }
    return unsafe bus
  }

  /// Subscribes to the signals that match a rule. If the bus refuses, the connection ends.
  func subscribe(to rule: String) {
    guard !isOver else { return }
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    let result = unsafe sd_bus_add_match_async(
      bus, nil, rule,
      { message, context, _ in
        guard let message = unsafe message, let context = unsafe context else { return 0 }
        let connection = unsafe Unmanaged<DBusConnection>.fromOpaque(context).takeUnretainedValue()
        let signal = unsafe DBusMessage(message)
        connection.delivery = { [signal, body = connection.signal] in body(signal) }
        return 0
      }, nil, context)
    if result < 0 { endSoon() }
    arm()
  }

  /// Calls a method.
  /// - Parameter body: Called with the reply, or with nil if the call failed or was not answered
  ///   within 25 s. It is not called after the connection is lost or `forgetCalls` was called.
  func call(
    _ member: String, of interface: String, at path: String, on destination: String,
    _ arguments: [Argument] = [], _ body: @escaping (DBusMessage?) -> Void = { _ in }
  ) {
    guard !isOver else { return }
    queue.append(
      Call(
        member: member, interface: interface, path: path, destination: destination,
        arguments: arguments, body: body))
    sendCalls()
    arm()
  }

  /// Ignores the replies to all calls so far, and drops unsent calls.
  func forgetCalls() {
    sent = [:]
    queue.removeAll()
  }

  private func sendCalls() {
    while sent.count < Self.callLimit, let call = queue.popFirst() {
      if send(call) < 0 { endSoon() }
    }
  }

  /// - Returns: a negative error number if the call cannot be sent.
  private func send(_ call: Call) -> Int32 {
    var new: OpaquePointer?
    var result = unsafe sd_bus_message_new_method_call(
      bus, &new, call.destination, call.path, call.interface, call.member)
    guard result >= 0, let message = unsafe new else { return result }
    defer { unsafe sd_bus_message_unref(message) }
    for argument in call.arguments where result >= 0 {
      switch argument {
      case .text(let text):
        result = unsafe text.withCString {
          unsafe sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), $0)
        }
      case .number(var number):
        result = unsafe sd_bus_message_append_basic(message, CChar(UInt8(ascii: "u")), &number)
      case .noTexts: result = unsafe sd_bus_message_append_strv(message, nil)
      }
    }
    guard result >= 0 else { return result }
    let sentCall = SentCall(self, call.body)
    result = unsafe sd_bus_call_async(
      bus, &sentCall.slot, message,
      { message, context, _ in
        guard let message = unsafe message, let context = unsafe context else { return 0 }
        let call = unsafe Unmanaged<SentCall>.fromOpaque(context).takeUnretainedValue()
        call.connection.sent[ObjectIdentifier(call)] = nil
        let reply = unsafe DBusMessage(message)
        call.connection.delivery = { [body = call.body] in body(reply.isError ? nil : reply) }
        return 0
      }, unsafe Unmanaged.passUnretained(sentCall).toOpaque(), 0)
    if result >= 0 { sent[ObjectIdentifier(sentCall)] = sentCall }
    return result
  }

  /// Lets sd-bus process one message, so that a program that sends constantly leaves time for other
  /// work.
  private func process() {
    let result = unsafe sd_bus_process(bus, nil)
    guard result >= 0, unsafe sd_bus_is_open(bus) > 0 else { return end() }
    isBusy = result > 0
    sendCalls()
    arm()
    // Call it last, because it may release the connection.
    let delivery = delivery
    self.delivery = nil
    delivery?()
  }

  /// Watches the descriptor and the timeout that sd-bus requests.
  private func arm() {
    guard !isOver else { return }
    var due: UInt64 = 0
    do throws(SystemError) {
      try watch?.waitForOutput(unsafe sd_bus_get_events(bus) & POLLOUT != 0)
    } catch {
      endSoon()
    }
    if !isBusy { unsafe sd_bus_get_timeout(bus, &due) }
    let delay = max(0, Int64(clamping: due) - Clocks.monotonic)
    timer =
      due == .max
      ? nil : loop.after(milliseconds: Int((delay + 999) / 1000)) { [unowned self] in process() }
  }

  /// Ends the connection after the caller has returned.
  private func endSoon() {
    failure = loop.after(milliseconds: 0) { [unowned self] in end() }
  }

  private func end() {
    guard !isOver else { return }
    isOver = true
    watch = nil
    timer = nil
    failure = nil
    delivery = nil
    forgetCalls()
    ended()
  }
}
