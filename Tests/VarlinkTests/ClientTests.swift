import Foundation
import LinuxIO
import TestSupport
import Testing

@testable import Varlink

@Suite struct ClientTests {
  private typealias Text = Service.Owner.Text
  private typealias Number = Service.Owner.Number

  /// Makes a call to the socket at a path, and returns its error; nil if it succeeds.
  private func failure(_ path: String) -> ClientError? {
    do throws(ClientError) {
      var client = try Client(path: path, timeout: .milliseconds(200))
      let _: NoParameters = try client.call("org.example.test.Nothing", NoParameters())
      return nil
    } catch {
      return error
    }
  }

  /// Makes a call to a service that sends `bytes` and closes the connection, and returns its error;
  /// nil if it succeeds.
  private func failure(saying bytes: [UInt8]) throws -> ClientError? {
    let folder = try TemporaryFolder()
    let listener = try UnixListener(path: folder.path + "/socket")
    let served = DispatchSemaphore(value: 0)
    let descriptor = listener.descriptor
    let thread = Thread {
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      unsafe poll(&ready, 1, 5000)
      let connection = UnixStream(owning: accept(descriptor, nil, nil))
      _ = try? connection.send(bytes[...])
      served.signal()
    }
    thread.start()
    let failure = failure(folder.path + "/socket")
    served.wait()
    return failure
  }

  @Test func `Calls and streams return values`() throws {
    let service = try Service()
    var client = try Client(path: service.path)
    let text: Text = try client.call("org.example.test.Echo", Text(text: "é\n\"\\", count: .max))
    #expect(text.text == "é\n\"\\")
    #expect(text.count == .max)
    try client.start("org.example.test.Count", Number(number: 3), more: true)
    try client.start("org.example.test.List", NoParameters(), more: false)
    var numbers: [Int] = []
    repeat {
      let next = try client.receive(as: Number.self, within: nil)
      numbers.append(next?.reply.number ?? 0)
      if next?.continues != true { break }
    } while true
    #expect(numbers == [1, 2, 3])
    let list = try client.receive(as: [String: [String]].self, within: .seconds(5))
    #expect(list?.reply == ["list": []])
  }

  @Test func `An error of the service has its name, parameters and message`() throws {
    let service = try Service()
    var client = try Client(path: service.path)
    do {
      let _: NoParameters = try client.call("org.example.test.Fail", NoParameters())
      Issue.record("the call did not fail")
    } catch {
      guard case .remote(let remote) = error else { throw error }
      #expect(remote.name == "org.example.test.Failed")
      #expect(remote.message == "it \"failed\"")
      #expect("\(error)" == "it \"failed\"")
      #expect(remote.parameters(Number.self)?.number == nil)
      #expect(remote.parameters([String: String].self) == ["message": "it \"failed\""])
    }
    let text: Text = try client.call("org.example.test.Echo", Text(text: "still there"))
    #expect(text.text == "still there")
  }

  @Test func `A failed connection has the kernel's reason`() throws {
    let folder = try TemporaryFolder()
    guard case .system(let missing)? = failure(folder.path + "/socket") else {
      Issue.record("the call did not fail")
      return
    }
    #expect(missing.code == ENOENT)
    #expect(missing.context == "connecting to \(folder.path)/socket")
    guard case .system(let tooLong)? = failure("/" + String(repeating: "a", count: 107)) else {
      Issue.record("the call did not fail")
      return
    }
    #expect(tooLong.code == ENAMETOOLONG)
  }

  @Test func `A call to a service that hangs times out`() throws {
    let service = try Service()
    var client = try Client(path: service.path, timeout: .milliseconds(100))
    let start = Clocks.boottime
    let error = #expect(throws: ClientError.self) {
      let _: NoParameters = try client.call("org.example.test.Never", NoParameters())
    }
    guard case .timedOut? = error else {
      Issue.record("the call did not time out")
      return
    }
    #expect(Clocks.boottime - start >= 100_000)
  }

  @Test func `Connecting to a full queue times out`() throws {
    let folder = try TemporaryFolder()
    let listener = try UnixListener(path: folder.path + "/socket")
    listen(listener.descriptor, 0)
    let first = try UnixStream(connectingTo: folder.path + "/socket", within: 1_000_000)
    guard case .timedOut? = failure(folder.path + "/socket") else {
      Issue.record("the call did not time out")
      return
    }
    _ = first.descriptor
  }

  @Test(arguments: [
    ("garbage\0", "it is not a JSON object"),
    ("{\"parameters\":{\"a\":\0", "the JSON ends too early"),
    ("{\"parameters\":[]}\0", "its member \"parameters\" must be of the type object"),
    ("{\"error\":1}\0", "its member \"error\" must be of the type string"),
    ("{\"error\":\"a.b\",\"continues\":true}\0", "an error must not have \"continues\""),
    ("{\"other\":1}\0", "it has an unknown member; the members are parameters, error, continues"),
    ("{\"continues\":true}\0", "it has \"continues\", but the call did not ask for more replies"),
  ])
  func `A malformed reply is an error with the reason`(
    bytes: String, reason: String
  ) throws {
    guard case .malformed(let found)? = try failure(saying: Array(bytes.utf8)) else {
      Issue.record("the message was accepted as a reply")
      return
    }
    #expect(found == reason)
  }

  @Test func `A reply with unexpected parameters is an error`() throws {
    let service = try Service()
    var client = try Client(path: service.path)
    #expect(throws: ClientError.self) {
      let _: Number = try client.call("org.example.test.List", NoParameters())
    }
  }
}
