import Foundation
import LinuxIO
import Synchronization
import Testing

@testable import Varlink

/// Gives every client the privilege that the test has set.
private final class ChosenPrivilege: CallerPolicy, Sendable {
  private let next = Mutex(CallerPrivilege.withRole)

  func set(_ privilege: CallerPrivilege) { next.withLock { $0 = privilege } }
  func privilege(of peer: PeerCredentials) -> CallerPrivilege { next.withLock { $0 } }

  func check(_ method: String, by peer: PeerCredentials) throws(VarlinkError) {
    if method == "org.example.test.Fail" { throw .permissionDenied }
  }

  func isUrgent(_ method: String) -> Bool { method == "org.example.test.Nothing" }
}

/// The limits of callers without a role, and the protection of other callers against them.
@Suite struct PrivilegeTests {
  private let policy = ChosenPrivilege()

  private func service(
    _ change: (inout ServerLimits.WithoutRole) -> Void = { _ in }
  ) throws -> Service {
    var limits = ServerLimits()
    (limits.clients, limits.reserved) = (2, 1)
    // All clients of a test are the same user.
    limits.withoutRole.clientsPerUser = 100
    change(&limits.withoutRole)
    return try Service(limits: limits, policy: policy)
  }

  private func connect(_ service: Service, _ privilege: CallerPrivilege) throws -> Box {
    policy.set(privilege)
    let count = service.perform { $0.server.clientCount }
    let box = Box(try Wire(service))
    try #require(service.eventually { $0.server.clientCount == count + 1 })
    return box
  }

  private func isRefused(
    _ service: Service, _ privilege: CallerPrivilege, limit: Int
  ) throws -> Bool {
    policy.set(privilege)
    var wire = try Wire(service)
    let rest = try wire.rest() ?? []
    let start = #"{"error":"org.example.test.TooMany","parameters":{"limit":\#(limit),"#
    return rest.count == 1 && rest[0].hasPrefix(start)
  }

  @Test func `Callers without a role have a limit of their own`()
    throws
  {
    let service = try service { $0.clients = 3 }
    var boxes = try (0..<3).map { _ in try connect(service, .withoutRole) }
    #expect(try isRefused(service, .withoutRole, limit: 3))
    // The server does not keep the connection of the refused caller until it has read its error.
    #expect(service.perform { $0.server.connections.count } == 3)
    boxes += try (0..<2).map { _ in try connect(service, .withRole) }
    #expect(try isRefused(service, .withRole, limit: 2))
    boxes.append(try connect(service, .urgent))
    #expect(try isRefused(service, .urgent, limit: 2))
    boxes.append(try connect(service, .owner))
    #expect(try isRefused(service, .owner, limit: 2))
    for box in boxes { #expect(try box.echo() == echoed("a")) }
  }

  @Test func `The number of connections of a user without a role is limited`() throws {
    let service = try service { $0.clientsPerUser = 2 }
    let boxes = try (0..<2).map { _ in try connect(service, .withoutRole) }
    #expect(try isRefused(service, .withoutRole, limit: 2))
    _ = try connect(service, .withRole)
    for box in boxes { #expect(try box.echo() == echoed("a")) }
  }

  @Test func `A call without permission is refused before its parameters are parsed`()
    throws
  {
    let service = try service()
    // These parameters are not valid JSON, but their brackets show where they end.
    for wrong in [#"{"a":01,,}"#, #"{"a":"\x"}"#, "{[}]", #"{"a":1,"a":2}"#] {
      let box = try connect(service, .withoutRole)
      try box.wire.send(call("Fail", wrong))
      #expect(try box.wire.next() == #"{"error":"org.varlink.service.PermissionDenied"}"#)
      try box.wire.send(call("List", wrong))
      #expect(try box.wire.rest()?.first?.contains("org.example.test.Malformed") == true)
    }
    #expect(service.perform { $0.calls.count } == 0)
  }

  @Test func `A message may have 4 KiB without a role, and more with one`() throws {
    let service = try service()
    let text = String(repeating: "a", count: 4096 - echo("").utf8.count)
    let (without, with) = (try connect(service, .withoutRole), try connect(service, .withRole))
    for (box, longest) in [(without, text), (with, text + text)] {
      try box.wire.send(echo(longest))
      #expect(try box.wire.next() == echoed(longest))
    }
    try without.wire.send(echo(text + "a"))
    #expect(try without.wire.rest()?.first?.contains("it is longer than 4096 bytes") == true)
  }

  @Test func `A new policy applies to connected clients`() throws {
    let service = try service()
    let long = String(repeating: "a", count: 5000)
    let (raised, lowered) = (
      try connect(service, .withoutRole), try connect(service, .withRole)
    )
    let (all, none) = (ChosenPrivilege(), ChosenPrivilege())
    none.set(.withoutRole)
    service.perform { $0.server.policy = all }
    try raised.wire.send(echo(long))
    #expect(try raised.wire.next() == echoed(long))
    service.perform { $0.server.policy = none }
    try lowered.wire.send(echo(long))
    #expect(try lowered.wire.rest()?.first?.contains("longer than 4096 bytes") == true)
  }

  @Test func `A connection without a role is closed 10 s after its last call`()
    throws
  {
    #expect(ServerLimits.WithoutRole().idleMicroseconds == 10_000_000)
    // Longer here, so that a busy machine is not too late.
    let service = try service { $0.idleMicroseconds = 25_000_000 }
    let other = try connect(service, .withRole)
    let (silent, slow, busy) = (
      try connect(service, .withoutRole), try connect(service, .withoutRole),
      try connect(service, .withoutRole)
    )
    try slow.wire.send(call("Big", #"{"number":3000000}"#))
    #expect(service.eventually { $0.calls.count == 1 })
    let left = service.perform { ($0.server.nextDeadline ?? 0) - Clocks.boottime }
    #expect(left > 0 && left <= 25_000_000)

    service.perform { $0.timeOffset = 12_000_000 }
    try silent.wire.send(Array(echo("half").utf8.prefix(10)))
    #expect(try busy.echo() == echoed("a"))
    #expect(service.perform { $0.server.clientCount } == 4)
    service.perform { $0.timeOffset = 25_000_000 }
    #expect(
      try silent.wire.rest()?.first?.hasPrefix(#"{"error":"org.example.test.TooSlow","#) == true)
    #expect(service.eventually { $0.server.clientCount == 2 })
    #expect(try busy.echo() == echoed("a"))
    service.perform { $0.timeOffset = 51_000_000 }
    #expect(service.eventually { $0.server.clientCount == 1 })
    service.perform { $0.timeOffset = 57_000_000 }
    #expect(service.eventually { $0.server.nextDeadline == nil })
    #expect(try other.echo() == echoed("a"))
  }

  @Test func `Urgent calls come first, and those of callers without a role last`()
    throws
  {
    let service = try service { $0.turnMicroseconds = 0 }
    let boxes = try (
      connect(service, .withoutRole), connect(service, .withRole), connect(service, .urgent)
    )
    try service.hold {
      try boxes.0.wire.send(echo("stranger"))
      // The method is urgent, but this caller's privilege is not.
      try boxes.1.wire.send(call("Nothing"))
      try boxes.1.wire.send(call("List"))
      try boxes.2.wire.send(call("Count", #"{"number":1}"#))
      try boxes.2.wire.send(call("Nothing"))
    }
    #expect(service.eventually { $0.calls.count == 5 })
    let order = service.perform { owner in
      owner.calls.map { String($0.method.dropFirst("org.example.test.".count)) }
    }
    #expect(order == ["Nothing", "Count", "Nothing", "List", "Echo"])
    try service.hold {
      try boxes.0.wire.send(echo("stranger"))
      try boxes.1.wire.send(call("List"))
      try boxes.2.wire.send(call("Nothing"))
    }
    #expect(service.eventually { $0.calls.count == 8 })
    #expect(
      service.perform { owner in owner.calls.suffix(3).map(\.method.last) } == ["g", "t", "o"])
  }

  @Test func `Callers without a role get little of the server's time`()
    throws
  {
    let service = try service()
    let strangers = try (0..<8).map { _ in try connect(service, .withoutRole) }
    let other = try connect(service, .withRole)
    let calls = Array((0..<25).map { _ in "\(call("Nothing"))\0" }.joined().utf8)
    let begun = ContinuousClock.now
    try service.hold {
      for stranger in strangers { try stranger.wire.send(calls) }
      try other.wire.send(echo("a"))
    }
    #expect(try other.wire.next() == echoed("a"))
    // Its call arrived last and was served first.
    #expect(service.perform { $0.calls.first?.method } == "org.example.test.Echo")
    #expect(service.eventually { $0.calls.count == 201 })
    // All callers without a role are the same user, so one of their calls is served every 2 ms.
    #expect(ContinuousClock.now - begun >= .milliseconds(390))
    #expect(service.sleeps())
  }

  @Test func `Calls without a role do not wake the server more often than they are served`()
    throws
  {
    let service = try service { $0.turnMicroseconds = 60_000_000 }
    let stranger = try connect(service, .withoutRole)
    #expect(try stranger.echo() == echoed("a"))
    // These calls do not fit into the input buffer. The poller must not report the unread rest in
    // every round.
    let calls = Array((0..<200).map { _ in "\(call("Nothing"))\0" }.joined().utf8)
    _ = try stranger.wire.stream.send(calls[...])
    #expect(service.sleeps())
  }
}
