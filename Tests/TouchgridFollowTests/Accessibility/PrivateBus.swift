import CSDBus
import Foundation
import Glibc
import TestSupport
import Testing

@testable import TouchgridFollow

/// A message bus of D-Bus for one test, which ends with this object.
final class PrivateBus {
  static let program = "/usr/bin/dbus-daemon"

  private let folder: TemporaryFolder
  private let process = Process()
  let address: String

  /// - Parameter isAbstract: Whether its socket lies in the abstract namespace.
  init(isAbstract: Bool = false) throws {
    folder = try TemporaryFolder()
    // The folder has a name that no other test has.
    let name = folder.path("bus")
    address = isAbstract ? "unix:abstract=\(name)" : "unix:path=\(name)"
    process.executableURL = URL(filePath: Self.program)
    process.arguments = [
      "--session", "--nofork", "--nopidfile", "--nosyslog", "--address=\(address)",
      "--print-address",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The bus prints its address once it listens.
    try #require(!output.fileHandleForReading.availableData.isEmpty)
  }

  deinit { end() }

  func end() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

/// A program on a bus that answers calls as a test wants. It runs on the event loop of the test.
@safe final class BusProgram {
  /// Answers a call.
  typealias Answer = (BusProgram, BusCall) -> Void

  private let bus: OpaquePointer
  private let answer: Answer
  private var watch: Loop.Watch?
  /// The unique name of the program.
  let name: String

  init(loop: Loop, on address: String, named known: String, _ answer: @escaping Answer) throws {
    self.answer = answer
    var new: OpaquePointer?
    try #require(unsafe sd_bus_new(&new) >= 0)
    let bus = try unsafe #require(new)
    unsafe self.bus = bus
    try #require(unsafe sd_bus_set_address(bus, address) >= 0)
    try #require(unsafe sd_bus_set_bus_client(bus, 1) >= 0)
    try #require(unsafe sd_bus_start(bus) >= 0)
    try #require(unsafe sd_bus_request_name(bus, known, 0) >= 0)
    var unique: UnsafePointer<CChar>?
    try #require(unsafe sd_bus_get_unique_name(bus, &unique) >= 0)
    name = try unsafe String(cString: #require(unique))
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sd_bus_add_filter(
      bus, nil,
      { message, context, _ in
        guard let message = unsafe message, let context = unsafe context,
          unsafe sd_bus_message_is_method_call(message, nil, nil) > 0
        else { return 0 }
        let program = unsafe Unmanaged<BusProgram>.fromOpaque(context).takeUnretainedValue()
        unsafe program.answer(program, BusCall(message))
        return 1
      }, context)
    watch = try loop.watch(unsafe sd_bus_get_fd(bus)) {
      while unsafe sd_bus_process(bus, nil) > 0 {}
    }
  }

  deinit {
    watch = nil
    unsafe sd_bus_close_unref(bus)
  }

  /// Leaves the bus.
  func vanish() {
    watch = nil
    unsafe sd_bus_close(bus)
  }

  /// Waits until the bus has all messages.
  func flush() { unsafe sd_bus_flush(bus) }

  /// Calls a method of another program, and sends a signal to it that nobody asked for.
  func bother(_ other: String) {
    var message: OpaquePointer?
    unsafe sd_bus_message_new_method_call(bus, &message, other, "/a", "org.a.B", "Call")
    unsafe sd_bus_send(bus, message, nil)
    unsafe sd_bus_message_unref(message)
    unsafe sd_bus_message_new_signal(bus, &message, "/a", "org.a.B", "Signal")
    unsafe sd_bus_message_set_destination(message, other)
    unsafe sd_bus_send(bus, message, nil)
    unsafe sd_bus_message_unref(message)
  }
}

/// A call that a `BusProgram` has received.
@safe struct BusCall {
  private let message: OpaquePointer

  init(_ message: OpaquePointer) { unsafe self.message = message }

  var member: String { unsafe text(sd_bus_message_get_member(message)) }
  var path: String { unsafe text(sd_bus_message_get_path(message)) }
  var sender: String { unsafe text(sd_bus_message_get_sender(message)) }

  /// The name of the property that is read.
  var property: String {
    var (interface, name): (UnsafePointer<CChar>?, UnsafePointer<CChar>?) = (nil, nil)
    unsafe sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &interface)
    unsafe sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &name)
    return unsafe text(name)
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String {
    guard let pointer = unsafe pointer else { return "" }
    return unsafe String(cString: pointer)
  }

  /// A value of D-Bus.
  indirect enum Value {
    case unsigned(UInt32)
    case signed(Int32)
    case text(String)
    case path(String)
    case structure([Value])
    case array(String, [Value])
    case variant(Value)

    var type: String {
      switch self {
      case .unsigned: "u"
      case .signed: "i"
      case .text: "s"
      case .path: "o"
      case .structure(let parts): "(" + parts.map(\.type).joined() + ")"
      case .array(let type, _): "a" + type
      case .variant: "v"
      }
    }
  }

  func reply(_ values: Value...) {
    var reply: OpaquePointer?
    unsafe sd_bus_message_new_method_return(message, &reply)
    for value in values { unsafe append(value, to: reply) }
    unsafe sd_bus_send(nil, reply, nil)
    unsafe sd_bus_message_unref(reply)
  }

  /// Answers with an error.
  func fail() { unsafe sd_bus_reply_method_errno(message, EACCES, nil) }

  private func append(_ value: Value, to reply: OpaquePointer?) {
    func code(_ letter: UInt8) -> CChar { CChar(letter) }
    func container(_ letter: UInt8, _ contents: String, _ parts: [Value]) {
      unsafe sd_bus_message_open_container(reply, code(letter), contents)
      for part in parts { unsafe append(part, to: reply) }
      unsafe sd_bus_message_close_container(reply)
    }
    switch value {
    case .unsigned(var number):
      unsafe sd_bus_message_append_basic(reply, code(UInt8(ascii: "u")), &number)
    case .signed(var number):
      unsafe sd_bus_message_append_basic(reply, code(UInt8(ascii: "i")), &number)
    case .text(let text):
      unsafe text.withCString {
        _ = unsafe sd_bus_message_append_basic(reply, code(UInt8(ascii: "s")), $0)
      }
    case .path(let path):
      unsafe path.withCString {
        _ = unsafe sd_bus_message_append_basic(reply, code(UInt8(ascii: "o")), $0)
      }
    case .structure(let parts):
      container(UInt8(ascii: "r"), parts.map(\.type).joined(), parts)
    case .array(let type, let parts): container(UInt8(ascii: "a"), type, parts)
    case .variant(let part): container(UInt8(ascii: "v"), part.type, [part])
    }
  }
}
