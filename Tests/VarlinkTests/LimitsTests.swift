import Foundation
import LinuxIO
import Synchronization
import TestSupport
import Testing

@testable import Varlink

@Suite struct LimitsTests {
  @Test func `A client beyond the limit is refused, and there is room again after one leaves`()
    throws
  {
    var limits = ServerLimits()
    // The tests may run as root, for whom additional connections are reserved.
    limits.reserved = 0
    let service = try Service(limits: limits)
    var wires = try (0..<64).map { _ in Box(try Wire(service)) }
    #expect(service.eventually { $0.server.clientCount == 64 })
    // The server refuses the client no matter what it sends, even if it sends nothing.
    for message in [nil, echo("a"), "garbage"] {
      var refused = try Wire(service)
      if let message { try refused.send(message) }
      let last = try refused.rest()
      #expect(last?.count == 1)
      #expect(
        last?.first?.hasPrefix(#"{"error":"org.example.test.TooMany","parameters":{"limit":64,"#)
          == true)
    }
    for wire in wires {
      try wire.wire.send(echo("a"))
      #expect(try wire.wire.next() == echoed("a"))
    }
    wires.removeLast()
    #expect(service.eventually { $0.server.clientCount == 63 })
    var next = try Wire(service)
    try next.send(echo("b"))
    #expect(try next.next() == echoed("b"))
  }

  @Test(.enabled(if: geteuid() == 0, "only root can connect as someone else"))
  func `The number of clients per user is limited, except for root`() throws {
    var limits = ServerLimits()
    limits.clientsPerUser = 3
    let service = try Service(limits: limits)
    unsafe chmod(service.folder.path, 0o755)
    let roots = try (0..<5).map { _ in Box(try Wire(service)) }
    let output = try python(
      """
      import os, socket, sys
      os.setgroups([4321, 8765]); os.setgid(12345); os.setuid(12345)
      sockets = []
      for n in range(5):
          s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); sockets.append(s)
          s.sendall(b'{"method":"org.example.test.List"}\\0')
          print('TooMany' if b'"limit":3,' in s.recv(4096) else 'answered')
      """, service.path)
    #expect(output == "answered\nanswered\nanswered\nTooMany\nTooMany\n")
    let peer = service.perform { $0.calls.first?.peer }
    #expect(peer?.user == 12345)
    #expect(peer?.group == 12345)
    #expect(peer?.groups == [4321, 8765])
    for root in roots {
      try root.wire.send(echo("a"))
      #expect(try root.wire.next() == echoed("a"))
    }
  }

  @Test func `A subscriber that does not read is disconnected with the reason, others are not`()
    throws
  {
    let service = try Service()
    var slow = try Wire(service)
    try slow.send(call("Watch", nil, #","more":true"#))
    #expect(service.eventually { $0.waiting.count == 1 })
    var quick = try Wire(service)
    try quick.send(call("Watch", nil, #","more":true"#))
    #expect(service.eventually { $0.waiting.count == 2 })
    let reply = EncodedReply(["text": String(repeating: "x", count: 10_000)], continues: true)
    var sent = 0
    // The kernel's buffer adds to the limit.
    for _ in 0..<1000 {
      let taken = service.perform { owner in
        owner.waiting.map { owner.server.send(reply, to: $0) }
      }
      #expect(taken[1])
      #expect(try quick.next()?.utf8.count == reply.byteCount - 1)
      if !taken[0] { break }
      sent += 1
    }
    let limit = ServerLimits().queueBytes / reply.byteCount
    #expect(sent >= limit)
    #expect(sent < limit * 2)
    #expect(service.eventually { $0.closed.count == 1 && $0.server.clientCount == 1 })
    let rest = try slow.rest() ?? []
    // Unsent messages were dropped. The client gets whole messages, and then the reason.
    #expect(rest.count < sent)
    #expect(rest.dropLast().allSatisfy { $0.utf8.count == reply.byteCount - 1 })
    #expect(rest.last?.hasPrefix(#"{"error":"org.example.test.TooSlow","#) == true)
    service.perform { $0.timeOffset = 5_000_000 }
    #expect(service.eventually { $0.server.nextDeadline == nil })
  }

  @Test func `Replies sent together may have any size if nothing is queued`() throws {
    let service = try Service()
    var wire = try Wire(service)
    try wire.send(call("Watch", nil, #","more":true"#))
    #expect(service.eventually { $0.waiting.count == 1 })
    let one = EncodedReply(["text": String(repeating: "x", count: 900_000)], continues: true)
    let taken = service.perform { owner in
      owner.server.send(Array(repeating: one, count: 5), to: owner.waiting[0])
    }
    #expect(taken)
    for _ in 0..<5 { #expect(try wire.next()?.utf8.count == one.byteCount - 1) }
  }

  @Test func `A client that calls without reading has to wait, and loses nothing`() throws {
    let service = try Service()
    var wire = try Wire(service)
    for _ in 0..<20 { try wire.send(call("Big", #"{"number":300000}"#)) }
    #expect(service.sleeps())
    // The first reply does not fit in the socket's buffer.
    #expect(service.perform { $0.calls.count } < 3)
    for _ in 0..<20 { #expect(try wire.next()?.utf8.count == 300_000 + 26) }
  }

  @Test func `Clients that disconnect within a message leave nothing behind`() throws {
    let service = try Service()
    let messages = [
      "", "{", echo("a"), echo("a") + "\u{0}", echo("a") + "\u{0}{", "garbage\u{0}",
      call("Big", #"{"number":3000000}"#) + "\u{0}", call("Watch", nil, #","more":true"#) + "\u{0}",
    ]
    for round in 0..<200 {
      let wire = try Wire(service)
      try wire.send(messages[round % messages.count].utf8)
    }
    #expect(service.eventually { $0.server.clientCount == 0 && !$0.server.hasWork })
    #expect(service.eventually { $0.server.nextDeadline == nil })
    // The end of each connection that called a method is reported once.
    let (closed, callers) = service.perform { owner in
      (owner.closed, Set(owner.calls.map(\.id.connection)))
    }
    #expect(closed.count == callers.count)
    #expect(Set(closed) == callers)
  }

  @Test func `A client that disconnects during its call does not wake the server`() throws {
    let service = try Service()
    do {
      let wire = try Wire(service)
      try wire.send(call("Never"))
      #expect(service.eventually { $0.waiting.count == 1 })
      // Send more than the server reads while the first call is in progress.
      var bytes: [UInt8] = []
      for _ in 0..<2500 { bytes += Array(call("Nothing").utf8) + [0] }
      guard case .moved(let count) = try wire.stream.send(bytes[...]) else { return }
      #expect(count > 65_537)
    }
    #expect(service.sleeps())
    #expect(service.perform { $0.server.clientCount } == 1)
    service.perform { $0.server.send(EncodedReply(NoParameters()), to: $0.waiting[0]) }
    #expect(service.eventually { $0.server.clientCount == 0 && $0.closed.count == 1 })
    #expect(service.perform { $0.calls.count } > 2000)
  }

  @Test func `A subscriber that sent too much and disconnected is removed`() throws {
    let service = try Service()
    do {
      let wire = try Wire(service)
      try wire.send(call("Watch", nil, #","more":true"#))
      _ = try wire.stream.send([UInt8](repeating: 0x20, count: 100_000)[...])
      #expect(service.eventually { $0.waiting.count == 1 })
      #expect(service.sleeps())
    }
    #expect(service.eventually { $0.server.clientCount == 0 && $0.closed.count == 1 })
  }

  @Test func `A client that sends file descriptors is answered without them`() throws {
    let service = try Service()
    let output = try python(
      """
      import array, socket, sys
      s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
      rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0] * 100))]
      message = b'{"method":"org.example.test.Nothing"}\\0'
      try:
          s.sendmsg([message], rights)
      except PermissionError:
          s.sendall(message)
      print(s.recv(100))
      """, service.path)
    #expect(output == "b'{}\\x00'\n")
  }

  @Test func `A client that floods the server does not delay others`() throws {
    let service = try Service()
    let isOver = Atomic(false)
    defer { isOver.store(true, ordering: .releasing) }
    let flood = Thread {
      guard let wire = try? Wire(service) else { return }
      let bytes = Array(call("Nothing", nil, #","oneway":true"#).utf8) + [0]
      let block = Array(repeating: bytes, count: 100).flatMap { $0 }
      while !isOver.load(ordering: .acquiring) { _ = try? wire.send(block) }
    }
    flood.start()
    #expect(service.eventually { $0.calls.count > 10 })
    var wire = try Wire(service)
    try wire.send(echo("a"))
    #expect(try wire.next() == echoed("a"))
    let before = service.perform { $0.calls.count }
    #expect(service.eventually { $0.calls.count > before + 1000 }, "the flood still runs")
  }

  @Test func `The server accepts clients again after it had no free file descriptors`() async {
    await #expect(processExitsWith: .success) { exit(try serveWithoutDescriptors()) }
  }
}

/// Checks that a server recovers after it ran out of file descriptors.
/// - Returns: 0, or the number of the check that failed.
private func serveWithoutDescriptors() throws -> Int32 {
  let service = try Service()
  var wires = try (0..<5).map { _ in Box(try Wire(service)) }
  guard service.eventually({ $0.server.clientCount == 5 }) else { return 1 }
  // Lower the limit to the number of open descriptors.
  let spare = unsafe open("/dev/null", O_RDONLY)
  var limit = rlimit(rlim_cur: rlim_t(spare + 1), rlim_max: 4096)
  unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  close(spare)
  // The client takes the last descriptor, so the server has none left to accept it.
  let late = Box(try Wire(service))
  try late.wire.send(echo("late"))
  guard service.sleeps(), service.eventually({ $0.server.nextDeadline != nil }),
    service.perform({ $0.server.clientCount }) == 5
  else { return 2 }
  guard case .some = try wires[0].echo() else { return 3 }
  wires.removeLast()
  guard try late.wire.next() == echoed("late") else { return 4 }
  return 0
}

/// A reference to a `Wire`, so that an array can hold wires, which are not copyable.
final class Box {
  var wire: Wire
  init(_ wire: consuming Wire) { self.wire = wire }

  func echo() throws -> String? {
    try wire.send(VarlinkTests.echo("a"))
    return try wire.next()
  }
}
