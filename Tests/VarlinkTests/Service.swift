import Foundation
import LinuxIO
import Synchronization
import TestSupport

@testable import Varlink

/// A service with a server, a poller and a thread of its own, on a socket in a temporary folder.
final class Service: Sendable {
  /// The state that the thread owns. Use it only within `perform`.
  final class Owner {
    let server: Server
    var calls: [Call] = []
    var closed: [ConnectionID] = []
    /// Pending calls of Watch and Never.
    var waiting: [CallID] = []
    /// How far, in µs, the server's time is ahead of the clock.
    var timeOffset: Int64 = 0
    /// Whether the server has nothing to do but wait for a client or for its next deadline.
    var isIdle = false
    var isStopping = false

    init(_ server: Server) { self.server = server }
  }

  let folder: TemporaryFolder
  let path: String
  private let loop: ServiceLoop
  private let end = DispatchSemaphore(value: 0)

  init(
    limits: ServerLimits = ServerLimits(), policy: any CallerPolicy & Sendable = OpenPolicy()
  ) throws {
    folder = try TemporaryFolder()
    path = folder.path("socket")
    loop = try ServiceLoop()
    let started = DispatchSemaphore(value: 0)
    let failure = Mutex<(any Error)?>(nil)
    let thread = Thread { [loop, path, end] in
      do {
        try loop.run(path, limits: limits, policy: policy) { started.signal() }
      } catch {
        failure.withLock { $0 = error }
        started.signal()
      }
      end.signal()
    }
    thread.start()
    started.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }

  deinit {
    loop.add { $0.isStopping = true }
    end.wait()
  }

  /// Runs a closure on the service's thread and returns its result.
  @discardableResult
  func perform<Value: Sendable>(_ body: @escaping @Sendable (Owner) -> Value) -> Value {
    let value = Mutex<Value?>(nil)
    let done = DispatchSemaphore(value: 0)
    loop.add { owner in
      let result = body(owner)
      value.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    guard let result = value.withLock({ $0 }) else { fatalError("the service gave no value") }
    return result
  }

  /// Waits until a condition, evaluated on the service's thread, is true. Tries for at least a
  /// minute.
  /// - Returns: Whether the condition became true.
  func eventually(_ condition: @escaping @Sendable (Owner) -> Bool) -> Bool {
    for _ in 0..<6000 {
      if perform(condition) { return true }
      usleep(10_000)
    }
    return false
  }

  /// Waits until the server sleeps, with all that clients have sent before. A server that is woken
  /// again and again never does.
  /// - Returns: Whether it came to sleep.
  func sleeps() -> Bool {
    perform { $0.isIdle = false }
    return eventually { $0.isIdle }
  }

  /// Blocks the service's thread during `body`. The service then finds all messages that clients
  /// have sent in `body` in the same round.
  func hold(_ body: () throws -> Void) rethrows {
    let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    loop.add { _ in
      held.signal()
      release.wait()
    }
    held.wait()
    defer { release.signal() }
    try body()
  }
}

/// What the thread of a service runs.
private final class ServiceLoop: Sendable {
  private let wake: WakeUp
  private let tasks = Mutex<[@Sendable (Service.Owner) -> Void]>([])

  init() throws { wake = try WakeUp() }

  func add(_ task: @escaping @Sendable (Service.Owner) -> Void) {
    tasks.withLock { $0.append(task) }
    wake.ring()
  }

  func run(
    _ path: String, limits: ServerLimits, policy: any CallerPolicy, started: () -> Void
  ) throws {
    var poller = try Poller()
    let server = Server(
      listener: try UnixListener(path: path), vendor: "Example", product: "Tests", version: "1",
      url: "https://example.org", interfaces: [.example], policy: policy, limits: limits,
      errors: .example)
    let owner = Service.Owner(server)
    try poller.add(wake.descriptor, token: 1)
    try server.start(poller: &poller)
    started()
    var ready: [Poller.Ready] = []
    while !owner.isStopping {
      try poller.wait(into: &ready, atMost: 0)
      if ready.isEmpty, !server.hasWork {
        let left = server.nextDeadline.map { max(0, $0 - now(owner)) }
        owner.isIdle = left != 0
        try poller.wait(into: &ready, atMost: left.map { Int32(clamping: $0 / 1000 + 1) })
      }
      for event in ready {
        if server.owns(event.token) {
          server.handle(event, poller: &poller)
        } else {
          wake.drain()
        }
      }
      let due = tasks.withLock { tasks in
        defer { tasks = [] }
        return tasks
      }
      for task in due { task(owner) }
      server.serve(poller: &poller, at: now(owner)) { owner.take($0) }
    }
    server.stop(poller: &poller)
  }

  private func now(_ owner: Service.Owner) -> Int64 { Clocks.boottime + owner.timeOffset }
}

extension Service.Owner {
  struct Text: CallParameters, Encodable {
    static let names = ["text", "count"]
    let text: String
    var count: Int?
  }

  struct Number: CallParameters, Encodable {
    static let names = ["number"]
    let number: Int
  }

  func take(_ event: Server.Event) {
    switch event {
    case .closed(let connection): closed.append(connection)
    case .call(let call):
      calls.append(call)
      do throws(VarlinkError) {
        try answer(call)
      } catch {
        server.send(EncodedReply(error), to: call.id)
      }
    }
  }

  private func answer(_ call: Call) throws(VarlinkError) {
    switch call.method {
    case "org.example.test.Echo":
      server.send(EncodedReply(try call.parameters(Text.self)), to: call.id)
    case "org.example.test.Count":
      // Sets `continues` even for calls without `more`, to test that the server removes it.
      let count = try call.parameters(Number.self).number
      for number in 1..<max(2, count) {
        server.send(EncodedReply(Number(number: number), continues: true), to: call.id)
      }
      server.send(EncodedReply(Number(number: count)), to: call.id)
    case "org.example.test.Big":
      let text = String(repeating: "x", count: try call.parameters(Number.self).number)
      server.send(EncodedReply(["text": text]), to: call.id)
    case "org.example.test.List":
      server.send(EncodedReply(["list": [String]()]), to: call.id)
    case "org.example.test.Nothing":
      server.send(EncodedReply(NoParameters()), to: call.id)
    case "org.example.test.Fail":
      throw VarlinkError("org.example.test.Failed", ["message": "it \"failed\""])
    case "org.example.test.Watch":
      guard call.wantsMore else { throw .expectedMore }
      waiting.append(call.id)
    case "org.example.test.Never": waiting.append(call.id)
    default: throw .methodNotFound(call.method)
    }
  }
}

extension InterfaceDescription {
  static let example = InterfaceDescription(
    name: "org.example.test",
    text: """
      # For tests.
      interface org.example.test

      # Says it again.
      method Echo(text: string, count: ?int) -> (text: string, count: ?int)
      # One reply for each number.
      method Count(number: int) -> (number: int)
      method Big(number: int) -> (text: string)
      method List() -> (list: []string)
      method Nothing() -> ()
      method Fail() -> ()
      method Watch() -> (number: int)
      method Never() -> ()
      method Missing() -> ()

      error Failed (message: string)
      error TooMany (limit: int, message: string)
      error TooSlow (message: string)
      error Malformed (message: string)

      """)
}

extension ServerErrors {
  private struct TooMany: Encodable {
    let limit: Int
    let message: String
  }

  static let example = ServerErrors(
    tooManyClients: { VarlinkError("org.example.test.TooMany", TooMany(limit: $0, message: $1)) },
    tooSlow: { VarlinkError("org.example.test.TooSlow", ["message": $0]) },
    malformedMessage: { VarlinkError("org.example.test.Malformed", ["message": $0]) })
}
