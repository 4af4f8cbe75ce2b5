import Foundation
import Glibc
import LinuxIO
import TestSupport
import Testing

@testable import TouchgridFollow

@Suite struct DBusConnectionTests {
  private let loop: Loop

  init() throws { loop = try Loop() }

  /// Runs the loop until it is ended.
  private func run() throws {
    var isLate = false
    let limit = loop.after(milliseconds: Int(30_000 * slowness)) {
      isLate = true
      loop.end()
    }
    try loop.run()
    withExtendedLifetime(limit) { #expect(!isLate) }
  }

  private func connect(
    _ address: String, signal: @escaping (DBusMessage) -> Void = { _ in },
    ended: @escaping () -> Void = { Issue.record("the connection has ended") }
  ) throws -> DBusConnection {
    try DBusConnection(loop: loop, address: address, signal: signal, ended: ended)
  }

  private func getID(_ connection: DBusConnection, _ body: @escaping (DBusMessage?) -> Void) {
    connection.call(
      "GetId", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
      on: "org.freedesktop.DBus", [], body)
  }

  @Test(arguments: [false, true]) func `Many calls are answered in order`(isAbstract: Bool) throws {
    let bus = try PrivateBus(isAbstract: isAbstract)
    let connection = try connect("tcp:host=127.0.0.1;\(bus.address)")
    var answered: [Int] = []
    for index in 0..<1000 {
      getID(connection) { reply in
        #expect(reply?.hasTypes("s") == true)
        #expect(reply?.text()?.count == 32)
        answered.append(index)
        if answered.count == 1000 { loop.end() }
      }
    }
    try run()
    #expect(answered == Array(0..<1000))
  }

  @Test func `Signals that match a rule arrive`() throws {
    let bus = try PrivateBus()
    var names: [String?] = []
    let connection = try connect(
      bus.address,
      signal: {
        #expect($0.sender == "org.freedesktop.DBus")
        names.append($0.text())
        loop.end()
      })
    connection.subscribe(to: "type='signal',member='NameOwnerChanged',arg0='org.a.B'")
    var program: BusProgram?
    getID(connection) { _ in
      program = try? BusProgram(loop: loop, on: bus.address, named: "org.a.B") { _, _ in }
    }
    try run()
    #expect(program != nil)
    #expect(names == ["org.a.B"])
  }

  @Test func `A connection may be released by the closure of a reply`() throws {
    let bus = try PrivateBus()
    var connection: DBusConnection? = try connect(bus.address)
    weak let released = connection
    if let connection {
      getID(connection) { _ in Issue.record("forgotten, but answered") }
      connection.forgetCalls()
    }
    if let open = connection {
      getID(open) { reply in
        connection = nil
        // The reply outlives the connection.
        #expect(reply?.text()?.count == 32)
        loop.end()
      }
      for _ in 0..<100 { getID(open) { _ in Issue.record("released, but answered") } }
    }
    try run()
    #expect(released == nil)
  }

  @Test func `The end of a bus is reported once, and not the calls that it left`() throws {
    let bus = try PrivateBus()
    var count = 0
    var connection: DBusConnection?
    connection = try connect(
      bus.address,
      ended: {
        count += 1
        connection = nil
        loop.end()
      })
    if let open = connection {
      getID(open) { _ in
        bus.end()
        guard let connection else { return }
        for _ in 0..<100 { getID(connection) { _ in Issue.record("answered") } }
      }
    }
    try run()
    #expect(count == 1)
    #expect(connection == nil)
  }

  @Test func `What is no bus on a Unix socket is refused`() throws {
    for address in [
      "", "tcp:host=127.0.0.1,port=1", "unixexec:path=/bin/true", "unix:path=/nonexistent/bus",
      "unix:", "unix:path=%zz", "nonsense",
    ] {
      #expect(throws: SystemError.self, "\(address)") { try connect(address) }
    }
  }

  @Test(arguments: ["nonsense\r\n", "OK 1234\r\n", "ERROR\r\n", "", nil])
  func `A server that is no bus ends the connection`(text: String?) throws {
    let folder = try TemporaryFolder()
    let listener = try UnixListener(path: folder.path("socket"))
    var hasEnded = false
    let connection = try connect(
      "unix:path=\(folder.path("socket"))",
      ended: {
        hasEnded = true
        loop.end()
      })
    getID(connection) { _ in Issue.record("answered") }
    let stream = UnixStream(owning: try #require(try listener.accept()))
    // A server that is silent: the loop goes on, and nothing is reported yet.
    guard let text else {
      let timer = loop.after(milliseconds: 200) { loop.end() }
      try run()
      return withExtendedLifetime(timer) { #expect(!hasEnded) }
    }
    _ = try stream.send(Array(text.utf8)[...])
    stream.endSending()
    try run()
    #expect(hasEnded)
  }
}
